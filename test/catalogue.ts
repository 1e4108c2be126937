import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogueStore } from '../src/storage/catalogue-store.ts';
import type { JsonObject } from '../src/aspect/json.ts';
import type { Caller } from '../src/auth/caller.ts';
import { rolePrivileges, type Role } from '../src/auth/privilege.ts';
import type { Command } from '../src/command/command.ts';
import type { FragmentProjection, Projections } from '../src/command/projection.ts';
import { createWriteEngine, type WriteEngine } from '../src/command/write-engine.ts';
import { keyBodyOf, requireEntityType } from '../src/entity/entity-registry.ts';
import { PostilError, type ErrorCode } from '../src/errors/postil-error.ts';
import { edgesOf } from '../src/relationship/edges.ts';
import { searchEntryOf } from '../src/search-index/search-entry-of.ts';
import { placementAspects, placementOf } from '../src/relationship/placement.ts';
import { openSqliteStore } from '../src/storage/sqlite/sqlite-aspect-store.ts';
import { parseUrn, urnType, type Urn } from '../src/urn/urn.ts';

/** A catalogue of its own for one test: a real store, the real write engine and the real projections. */
export type TestCatalogue = AsyncDisposable & {
  readonly store: CatalogueStore;
  readonly engine: WriteEngine;
  readonly projections: Projections;
  readonly admin: Caller;
  readonly editor: Caller;
  readonly reader: Caller;
  /** Executes a command; as the editor unless another caller is given. */
  execute<Input, Result>(command: Command<Input, Result>, input: Input, caller?: Caller): Promise<Result>;
  /** Stores aspects as ingestion would; an empty object of aspects stores the key aspect alone. */
  seed(urn: string, aspects?: Aspects): Promise<Urn>;
  /** The body of the latest version of an aspect; `undefined` when there is none. */
  body(urn: string, aspect: string): Promise<JsonObject | undefined>;
  /** The number of changes ever made: equal before and after whatever must change nothing. */
  lastSequence(): Promise<number>;
  /** Asserts that the command is refused with this code and exactly this text, and that nothing changed. */
  refuses<Input>(
    command: Command<Input, unknown>,
    input: Input,
    refusal: { readonly code: ErrorCode; readonly message: string | RegExp },
    caller?: Caller,
  ): Promise<void>;
  /** Executes a command that has nothing to change, asserts that nothing changed, and gives its answer. */
  changesNothing<Input, Result>(command: Command<Input, Result>, input: Input): Promise<Result>;
  close(): Promise<void>;
};

type Aspects = { readonly [aspect: string]: JsonObject };

export type TestCatalogueOptions = {
  /** A store to use instead of a new embedded one; closed with the catalogue. */
  readonly store?: CatalogueStore;
  readonly fragments?: readonly FragmentProjection[];
  /** Milliseconds since the Unix epoch; the real time unless given. */
  now?(): number;
  newId?(): string;
};

/** A caller with the privileges of a built-in role, named after it. */
export function callerOf(role: Role): Caller {
  return {
    actor: parseUrn(`urn:li:corpuser:${role.toLowerCase()}`),
    privileges: rolePrivileges[role],
    tokenId: undefined,
  };
}

/** Opens an empty catalogue; `await using` it, or close it at the end of the test. */
export async function openTestCatalogue(options: TestCatalogueOptions = {}): Promise<TestCatalogue> {
  const folder = options.store === undefined ? await mkdtemp(join(tmpdir(), 'postil-test-')) : undefined;
  const store = options.store ?? (await openSqliteStore(folder ?? ''));
  const projections: Projections = {
    edgesOf,
    placementAspects,
    placementOf,
    fragments: options.fragments ?? [],
    searchEntryOf,
  };
  const engine = createWriteEngine({
    store,
    projections,
    now: options.now ?? Date.now,
    newId: options.newId ?? randomUUID,
  });
  const admin = callerOf('Admin');
  const editor = callerOf('Editor');
  const execute: TestCatalogue['execute'] = (command, input, caller = editor) =>
    engine.execute(command, input, caller);
  const close = async (): Promise<void> => {
    await engine.idle();
    await store.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  return {
    store,
    engine,
    projections,
    admin,
    editor,
    reader: callerOf('Reader'),
    execute,
    seed: (urn, aspects = {}) => engine.execute(seedAspects, { urn: parseUrn(urn), aspects }, admin),
    async body(urn, aspect) {
      return (await store.read(parseUrn(urn), [aspect])).get(aspect)?.body;
    },
    lastSequence: () => store.lastSequence(),
    async refuses(command, input, { code, message }, caller) {
      const before = await store.lastSequence();
      await assert.rejects(execute(command, input, caller), (error) => {
        assert.ok(error instanceof PostilError, String(error));
        if (typeof message === 'string') assert.equal(error.message, message);
        else assert.match(error.message, message);
        assert.equal(error.code, code);
        return true;
      });
      assert.equal(await store.lastSequence(), before, 'a refused command changes nothing');
    },
    async changesNothing(command, input) {
      const before = await store.lastSequence();
      const result = await execute(command, input);
      assert.equal(await store.lastSequence(), before, 'nothing was to be changed');
      return result;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const seedAspects: Command<{ readonly urn: Urn; readonly aspects: Aspects }, Urn> = {
  name: 'seedAspects',
  demands: () => [],
  async decide(_view, { urn, aspects }) {
    const writes = Object.entries(aspects).map(([aspect, body]) => ({ urn, aspect, body }));
    return { writes: writes.length > 0 ? writes : [keyWrite(urn)], result: urn };
  },
};

function keyWrite(urn: Urn): { readonly urn: Urn; readonly aspect: string; readonly body: JsonObject } {
  return { urn, aspect: requireEntityType(urnType(urn)).keyAspect, body: keyBodyOf(urn) };
}
