import { parseTestUrn } from '../../metadata-test/test-entity.ts';
import type { TestChange } from '../../metadata-test/explain-change.ts';
import { parseUrn } from '../../urn/urn.ts';
import { type CliCommand, exitCodes, UsageError } from '../command-line.ts';
import { homeOptions, openHome, type TestHome } from './test-home.ts';

export const explain: CliCommand = {
  name: 'test explain',
  summary: 'Tell why a stored test says of an entity what it says.',
  usage: 'test explain URN --test URN [--since TIME] (--server URL [--token TOKEN] | --store WHERE)',
  help: [
    'Tells the verdict of a stored test on an entity, what decided it, what would make the entity pass, and who wrote ' +
      'what was looked at. With --json the whole tree of what decided.',
    'With --since what made the verdict another one than at that time: what changed, and who wrote it.',
    'Exit code 0: it was explained, whatever the verdict. 1: the entity or the test is missing.',
  ],
  options: [
    ...homeOptions,
    { name: 'test', value: 'URN', description: 'The test.' },
    { name: 'since', value: 'TIME', description: 'Compare with a time such as 2026-01-31T12:00Z.' },
    { name: 'json', description: 'Print the result as JSON.' },
  ],
  async run(given, terminal) {
    const [urn, ...more] = given.positionals;
    const test = given.value('test');
    if (urn === undefined || more.length > 0) throw new UsageError(explain, 'Name one entity by its URN.');
    if (test === undefined) throw new UsageError(explain, 'Name the test: --test URN.');
    const [entityUrn, testUrn] = [parseUrn(urn), parseTestUrn(test)];
    const since = given.value('since');
    const from = since === undefined ? undefined : Date.parse(since);
    if (Number.isNaN(from)) {
      throw new UsageError(explain, `'${since}' is no time; one is written like 2026-01-31T12:00Z.`);
    }
    const home = await openHome(given, explain);
    try {
      if (from !== undefined) {
        const change = await home.explainSince(entityUrn, testUrn, from);
        terminal.out(given.isSet('json') ? `${JSON.stringify(change)}\n` : textOfChange(change));
        return exitCodes.done;
      }
      const explanation = await home.explain(entityUrn, testUrn);
      terminal.out(given.isSet('json') ? `${JSON.stringify(explanation)}\n` : textOf(explanation));
      return exitCodes.done;
    } finally {
      await home.close();
    }
  },
};

function textOfChange({ entity, from, to, definitionChanged, nodes }: TestChange): string {
  const moment = ({ time, verdict, why }: TestChange['from']): string =>
    `${new Date(time).toISOString()} ${verdict}: ${why}`;
  const state = ({ outcome, observed }: TestChange['nodes'][number]['before']): string =>
    `${outcome ?? 'undecided'} (${observed.join(', ')})`;
  const lines = [
    entity,
    moment(from),
    moment(to),
    ...(definitionChanged ? ['the definition is another one'] : []),
    ...nodes.flatMap(({ pointer, before, after, writes }) => [
      `${pointer}: ${state(before)}, now ${state(after)}`,
      ...writes.map(
        ({ entity: holder, aspect, versionBefore, versionAfter, changedBy, changedAt }) =>
          `  written: ${aspect} of ${holder}, version ${versionBefore} to ${versionAfter}` +
          (changedBy === undefined || changedBy === null
            ? ', removed'
            : `, by ${changedBy}, ${new Date(changedAt ?? 0).toISOString()}`),
      ),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function textOf(explanation: Awaited<ReturnType<TestHome['explain']>>): string {
  const { verdict, entity, why, rules, toPass, provenance, notes, exemption, pendingUntil } = explanation;
  const lines = [
    `${verdict} ${entity}`,
    `why: ${why}`,
    ...(exemption === undefined ? [] : [`excused: ${excuseOf(exemption)}`]),
    ...(typeof pendingUntil === 'number' ? [`pending until: ${new Date(pendingUntil).toISOString()}`] : []),
    ...rules
      .filter(({ outcome }) => !outcome)
      .map(
        ({ id, severity, message }) =>
          `does not hold: ${id} (${severity})${message === undefined ? '' : `: ${message}`}`,
      ),
    ...toPass.map((hint) => `to pass: ${hint}`),
    ...provenance.map(
      ({ entity: holder, aspect, version, changedBy, changedAt }) =>
        `looked at: ${aspect} of ${holder}, version ${version}, by ${changedBy}, ${new Date(changedAt).toISOString()}`,
    ),
    ...(notes.length === 0 ? [] : [`notes: ${notes.join(', ')}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function excuseOf({
  reason,
  expires,
}: NonNullable<Awaited<ReturnType<TestHome['explain']>>['exemption']>): string {
  // What somebody wrote over several lines stays one line here.
  const words = reason.trim().replaceAll(/\s+/g, ' ');
  return `${words}${typeof expires === 'number' ? `, until ${new Date(expires).toISOString()}` : ''}`;
}
