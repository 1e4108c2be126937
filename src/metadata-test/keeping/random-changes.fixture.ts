import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Command } from '../../command/command.ts';
import { keyBodyOf, requireEntityType } from '../../entity/entity-registry.ts';
import { type Urn, urnType } from '../../urn/urn.ts';
import { testInfoOf } from '../test-entity.ts';
import { assertKeptAsEvaluated, type KeptCatalogue, openKeptCatalogue } from './kept-catalogue.fixture.ts';
import {
  day,
  type Happening,
  happenings,
  one,
  tests,
  users,
  world,
  type Write,
} from './random-world.fixture.ts';

const writeAspects: Command<readonly Write[], undefined> = {
  name: 'writeAspects',
  demands: () => [],
  decide: async (_view, writes) => ({ writes, result: undefined }),
};

/** Leaves nothing of the world, so that the next sequence begins as the first one did. */
async function clearWorld({ catalogue, store }: KeptCatalogue): Promise<void> {
  const existing = await store.existing([...tests, ...world]);
  const writes = [...existing].map((urn) => ({
    urn,
    aspect: requireEntityType(urnType(urn)).keyAspect,
    body: undefined,
  }));
  await catalogue.execute(writeAspects, writes, catalogue.admin);
}

/** One write for each aspect: the last one. */
function beginning({ writes, definitions }: Extract<Happening, { kind: 'begin' }>): readonly Write[] {
  const byAspect = new Map<string, Write>();
  for (const { urn, aspect, body } of writes) {
    if (body === undefined) continue;
    byAspect.set(urn, { urn, aspect: requireEntityType(urnType(urn)).keyAspect, body: keyBodyOf(urn) });
    byAspect.set(`${urn} ${aspect}`, { urn, aspect, body });
  }
  const infos = tests.map((urn, index): Write => {
    const json = JSON.stringify(definitions[index]);
    return {
      urn,
      aspect: 'testInfo',
      body: testInfoOf({ name: 't', category: 'c', definition: { json } }, 0),
    };
  });
  return [...byAspect.values(), ...infos];
}

/** Lets things happen, and asserts that in the end what is kept is what evaluating everything anew says. */
export async function assertKeptThrough(kept: KeptCatalogue, sequence: readonly Happening[]): Promise<void> {
  const { catalogue, clock } = kept;
  const store = (...writes: readonly Write[]): Promise<undefined> =>
    catalogue.execute(writeAspects, writes, catalogue.admin);
  const keyOf = (urn: Urn): string => requireEntityType(urnType(urn)).keyAspect;
  const exists = async (urn: Urn): Promise<boolean> => (await kept.store.existing([urn])).has(urn);
  // Those of an earlier sequence are its own, or no sequence after it could pass, and a failure could not be shrunk.
  const reportedBefore = kept.reports.length;
  const reported = (): readonly string[] => kept.reports.slice(reportedBefore);
  for (const event of sequence) {
    // Every change has its own time, so that the one after it is newer.
    clock.now += 1;
    switch (event.kind) {
      case 'begin':
        await store(...beginning(event));
        break;
      case 'write':
        if (event.body !== undefined) {
          await store({ urn: event.urn, aspect: keyOf(event.urn), body: keyBodyOf(event.urn) }, event);
        } else if (await exists(event.urn)) await store(event);
        break;
      case 'delete':
        if (await exists(event.urn))
          await store({ urn: event.urn, aspect: keyOf(event.urn), body: undefined });
        break;
      case 'save':
        await kept.saveTest(event.test.slice('urn:li:test:'.length), event.definition, {
          status: { mode: event.mode },
        });
        break;
      case 'deleteTest':
        if (await exists(event.test)) await store({ urn: event.test, aspect: 'testKey', body: undefined });
        break;
      case 'exempt':
        if (await exists(event.test)) {
          const { test, entity, days } = event;
          const exemption = {
            id: 'e',
            entity,
            reason: 'r',
            requestedBy: one(users),
            approvedBy: one(users),
            createdAt: 0,
            expires: clock.now + days * day,
          };
          await store({ urn: test, aspect: 'testExemptions', body: { exemptions: [exemption] } });
        }
        break;
      case 'pass':
        clock.now += event.hours * 3_600_000;
        break;
      case 'settle':
        await kept.keeper.settled();
        break;
      case 'restart':
        await kept.restart();
    }
  }
  await kept.keeper.settled();
  assert.deepEqual(reported(), []);
  await assertKeptAsEvaluated(kept.store, world, clock.now);
  const { differences } = await kept.keeper.fullPass();
  assert.equal(differences, 0, 'a full pass finds nothing to repair');
  assert.deepEqual(reported(), []);
}

/** Checks the promise for so many sequences in one store, whose world is cleared before each of them. */
export async function assertKeptThroughMany(
  kept: KeptCatalogue,
  parameters: { readonly numRuns: number; readonly seed?: number },
): Promise<void> {
  await fc.assert(
    fc
      .asyncProperty(happenings, (sequence) => assertKeptThrough(kept, sequence))
      .beforeEach(() => clearWorld(kept)),
    parameters,
  );
}

/** A store grows with every sequence, and what is in memory should not. */
const sequencesPerStore = 100;

/** The same in embedded stores, each of them for some of the sequences. */
export async function assertKeptInStores(parameters: {
  readonly sequences: number;
  readonly seed: number;
}): Promise<void> {
  const { sequences, seed } = parameters;
  for (let start = 0; start < sequences; start += sequencesPerStore) {
    await using kept = await openKeptCatalogue();
    const numRuns = Math.min(sequencesPerStore, sequences - start);
    await assertKeptThroughMany(kept, { numRuns, seed: seed + start });
  }
}
