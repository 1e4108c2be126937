import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Prints where the processor time of a profile went, by function: `node tools/run.mjs bench/profile-summary.ts FOLDER` reads
 * the largest `.cpuprofile` in a folder that `npm run bench -- --profile FOLDER` wrote. Own time, and time with callees.
 */
type Frame = { readonly functionName: string; readonly url: string; readonly lineNumber: number };
type Node = { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] };
type Profile = {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

const rowsShown = 45;

function summarise(profile: Profile): string {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)),
  );
  const own = new Map<string, number>();
  const withCallees = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of profile.samples.entries()) {
    const time = profile.timeDeltas[index] ?? 0;
    const node = byId.get(id);
    if (node === undefined || node.callFrame.functionName === '(idle)') continue;
    busy += time;
    add(own, nameOf(node.callFrame), time);
    const seen = new Set<string>();
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const name = nameOf(byId.get(at)?.callFrame);
      if (!seen.has(name)) add(withCallees, name, time);
      seen.add(name);
    }
  }
  const share = (time: number): string => `${((100 * time) / busy).toFixed(1).padStart(5)} %`;
  const rows = [...own].toSorted(([, left], [, right]) => right - left).slice(0, rowsShown);
  return [
    `busy ${(busy / 1e6).toFixed(2)} s`,
    '  own     with callees',
    ...rows.map(([name, time]) => `${share(time)} ${share(withCallees.get(name) ?? 0)}  ${name}`),
    '  with callees',
    ...[...withCallees]
      .filter(([name]) => /src\/|node:sqlite/.test(name))
      .toSorted(([, left], [, right]) => right - left)
      .slice(0, rowsShown)
      .map(([name, time]) => `${share(time)}  ${name}`),
  ].join('\n');
}

function nameOf(frame: Frame | undefined): string {
  if (frame === undefined) return '(unknown)';
  const file = frame.url.replace(/^.*\/(src|bench|node_modules)\//, '$1/');
  return `${frame.functionName === '' ? '(anonymous)' : frame.functionName} ${file}${file === '' ? '' : `:${frame.lineNumber + 1}`}`;
}

function add(sums: Map<string, number>, name: string, time: number): void {
  sums.set(name, (sums.get(name) ?? 0) + time);
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error(`usage: node tools/run.mjs bench/${basename(import.meta.filename)} FOLDER`);
  process.exitCode = 2;
} else {
  const texts = readdirSync(folder)
    .filter((file) => file.endsWith('.cpuprofile'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const [largest] = texts.toSorted((left, right) => right.length - left.length);
  if (largest === undefined) throw new Error(`There is no .cpuprofile in ${folder}`);
  console.log(summarise(JSON.parse(largest) as Profile));
}
