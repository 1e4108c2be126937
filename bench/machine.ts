import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { canPin } from './child-process.ts';

/** Where and when numbers were measured; they mean little without it. */
export type Machine = {
  readonly date: string;
  readonly processor: string;
  readonly processors: number;
  readonly memoryGibibytes: number;
  readonly system: string;
  readonly node: string;
  readonly sqlite: string;
  readonly commit: string;
  /** Load average over one minute before the run: above a few tenths, the machine was doing something else as well. */
  readonly loadBefore: number;
  readonly isPinned: boolean;
};

export function describeMachine(): Machine {
  const all = cpus();
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    processor: all[0]?.model.trim() ?? 'unknown',
    processors: all.length,
    memoryGibibytes: Math.round(totalmem() / 1024 ** 3),
    system: `${type()} ${release()}`,
    node: process.versions.node,
    sqlite: process.versions['sqlite'] ?? 'unknown',
    commit: commitOf(),
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    isPinned: canPin,
  };
}

function commitOf(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    return (
      git('rev-parse', '--short', 'HEAD') +
      (git('status', '--porcelain', '--', '..') === '' ? '' : ' with changes')
    );
  } catch {
    return 'unknown';
  }
}
