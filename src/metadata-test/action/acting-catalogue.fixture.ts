import assert from 'node:assert/strict';
import { openTestCatalogue, type TestCatalogue } from '../../../test/catalogue.ts';
import type { Execute } from '../../command/command.ts';
import { objectsIn } from '../../entity/stored-member.ts';
import type { Urn } from '../../urn/urn.ts';
import type { CatalogueStore } from '../../storage/catalogue-store.ts';
import type { VerdictKeepingStore } from '../../verdict/verdict-store.ts';
import { openSqliteStore } from '../../storage/sqlite/sqlite-aspect-store.ts';
import { createTest } from '../create-test.ts';
import { createVerdictKeeper } from '../keeping/create-verdict-keeper.ts';
import type { VerdictKeeper } from '../keeping/verdict-keeper.ts';
import { createTestLibrary } from '../test-library.ts';
import { type Parts, written } from './action.fixture.ts';
import { type ActionRunner, createActionRunner } from './action-runner.ts';
import { type ActionRun, readRuns } from './action-state.ts';
import { approveRun, type RunServices } from './manage-runs.ts';

/** A catalogue with a keeper of verdicts and a runner of actions at work, and a clock that tests move. */
export type ActingCatalogue = AsyncDisposable & {
  readonly catalogue: TestCatalogue;
  readonly store: VerdictKeepingStore;
  readonly keeper: VerdictKeeper;
  readonly runner: ActionRunner;
  readonly services: RunServices;
  /** What people were told to look at. */
  readonly attended: readonly string[];
  /** Waits until nothing leads to anything anymore. */
  settle(): Promise<void>;
  passTime(milliseconds: number): void;
  /** Saves a test, and approves its first run unless told otherwise. */
  save(id: string, parts: Parts, approve?: boolean): Promise<Urn>;
  runs(test: Urn): Promise<readonly ActionRun[]>;
  approve(test: Urn): Promise<ActionRun>;
  tagsOf(urn: string): Promise<readonly string[]>;
};

export async function openActingCatalogue(
  options: {
    readonly folder?: string;
    /** Closed with the catalogue. */
    readonly store?: CatalogueStore;
    readonly isActing?: boolean;
    /** Stands between the runner and the write engine. */
    readonly around?: (execute: Execute) => Execute;
  } = {},
): Promise<ActingCatalogue> {
  let skew = 0;
  const now = (): number => Date.now() + skew;
  const opened = options.folder === undefined ? options.store : await openSqliteStore(options.folder);
  const catalogue = await openTestCatalogue({ ...(opened === undefined ? {} : { store: opened }), now });
  const { engine } = catalogue;
  const store: VerdictKeepingStore = catalogue.store;
  const library = createTestLibrary(store);
  const attended: string[] = [];
  const runner = createActionRunner({
    store,
    verdicts: store.verdicts,
    library,
    execute: options.around?.(engine.execute) ?? engine.execute,
    now,
    attend: (message, fields) => void attended.push(`${message} ${JSON.stringify(fields)}`),
  });
  const keeper = createVerdictKeeper({
    store,
    library,
    now,
    transitionHandlers: [runner.onTransition],
    report: (_level, message, cause) => void attended.push(`${message} ${String(cause)}`),
  });
  engine.onCommit(() => keeper.poke());
  keeper.start();
  if (options.isActing !== false) runner.start();
  const services: RunServices = { store, verdicts: store.verdicts, library, execute: engine.execute, now };
  const settle = async (): Promise<void> => {
    for (let last = -1; ;) {
      await keeper.settled();
      if (options.isActing !== false) await runner.settled();
      const sequence = await store.lastSequence();
      if (sequence === last) return;
      last = sequence;
    }
  };
  const runs = (test: Urn): Promise<readonly ActionRun[]> => readRuns(store.verdicts, test, 100);
  const approve = async (test: Urn): Promise<ActionRun> => {
    await settle();
    const [run] = await runs(test);
    assert.equal(run?.status, 'paused');
    const approved = await approveRun(services, test, run.id, catalogue.admin);
    runner.poke();
    await settle();
    return approved;
  };
  return {
    catalogue,
    store,
    keeper,
    runner,
    services,
    attended,
    settle,
    runs,
    approve,
    passTime: (milliseconds) => void (skew += milliseconds),
    async save(id, parts, isApproved = true) {
      const input = { id, name: id, category: 'c', definition: { json: written(parts) } };
      const urn = (await catalogue.execute(createTest, input)) as Urn;
      if (isApproved) await approve(urn);
      else await settle();
      return urn;
    },
    async tagsOf(urn) {
      return objectsIn(await catalogue.body(urn, 'globalTags'), 'tags').map((tag) => String(tag['tag']));
    },
    async [Symbol.asyncDispose]() {
      await runner.stop(0);
      await keeper.stop();
      await catalogue[Symbol.asyncDispose]();
    },
  };
}
