import type { ServerProcess } from './child-process.ts';
import type { LoadGroup, LoadResult } from './load.ts';
import type { Bench } from './scenario.ts';
import { median } from './statistics.ts';

/** Medians over the rounds. */
export type Sample = {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The server's processor time per request in microseconds. */
  readonly cpuMicroseconds: number | undefined;
  /** The same of groups that ran beside the first one. */
  readonly beside: readonly Omit<Sample, 'cpuMicroseconds' | 'beside'>[];
};

export type Candidate = {
  readonly server: ServerProcess;
  readonly group: Omit<LoadGroup, 'first'>;
  /** Loads that run at the same time on the same server. */
  readonly beside?: readonly Omit<LoadGroup, 'first'>[];
};

/**
 * Loads the candidates in turns, A B C A B C, so that whatever else happens on the machine meets all of them; a first round
 * only warms them up. Never two at once.
 */
export async function measureInTurns(
  bench: Bench,
  what: string,
  candidates: readonly Candidate[],
): Promise<readonly Sample[]> {
  const rounds = candidates.map((): { results: readonly LoadResult[]; cpu: number | undefined }[] => []);
  const sent = candidates.map(() => 0);
  for (let round = 0; round <= bench.rounds; round += 1) {
    for (const [index, { server, group, beside = [] }] of candidates.entries()) {
      const isWarmUp = round === 0;
      const first = sent[index] ?? 0;
      const cpuBefore = server.cpuMicroseconds();
      const results = await bench.client.run({
        groups: [group, ...beside].map((each) => ({ ...each, first })),
        warmUpMs: bench.warmUpMs,
        measureMs: isWarmUp ? bench.warmUpMs : bench.measureMs,
      });
      const cpuAfter = server.cpuMicroseconds();
      const requests = results[0]?.requests ?? 0;
      sent[index] = first + requests;
      if (isWarmUp) continue;
      const cpu =
        cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / requests;
      rounds[index]?.push({ results, cpu });
      bench.say(`${what}: round ${round}, ${group.name} ${Math.round(results[0]?.perSecond ?? 0)}/s`);
    }
  }
  return rounds.map((samples) => {
    const cpus = samples.flatMap(({ cpu }) => (cpu === undefined ? [] : [cpu]));
    const besides = samples[0]?.results.slice(1) ?? [];
    return {
      ...mediansOf(samples.flatMap(({ results }) => results.slice(0, 1))),
      cpuMicroseconds: cpus.length === 0 ? undefined : median(cpus),
      beside: besides.map((_, index) =>
        mediansOf(samples.flatMap(({ results }) => results.slice(index + 1, index + 2))),
      ),
    };
  });
}

function mediansOf(results: readonly LoadResult[]): Omit<Sample, 'cpuMicroseconds' | 'beside'> {
  return {
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    p50: median(results.map(({ p50 }) => p50)),
    p99: median(results.map(({ p99 }) => p99)),
  };
}
