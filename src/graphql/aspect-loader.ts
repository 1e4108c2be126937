import type { Aspect, EntityAspects } from '../aspect/aspect.ts';
import type { AspectReader } from '../aspect/aspect-store.ts';
import type { Urn } from '../urn/urn.ts';

/** At once where the store is inside the process. */
export type MaybeLater<Value> = Value | Promise<Value>;

/** Reads aspects for one request: what is asked for together in one store call, and everything at most once. */
export type AspectLoader = {
  readonly readUrns: ReadonlySet<Urn>;
  readonly load: (urn: Urn, aspectName: string) => MaybeLater<Aspect | undefined>;
  readonly loadAll: (urn: Urn, aspectNames: readonly string[]) => MaybeLater<EntityAspects>;
  readonly exists: (urn: Urn) => MaybeLater<boolean>;
  readonly fragment: (urn: Urn, name: string) => MaybeLater<string | undefined>;
  /** Forgets what was loaded, because it may have changed. */
  readonly clear: () => void;
};

/** What is known of one entity: the aspects that are there, and for each name the batch that reads it. */
type LoadedEntity = {
  readonly urn: Urn;
  readonly aspects: Map<string, Aspect>;
  readonly batches: Map<string, Batch>;
};

type Batch = {
  readonly entities: Set<LoadedEntity>;
  readonly names: Set<string>;
  readonly existing: Set<Urn>;
  /** Fulfilled when everything was read; never rejected. */
  readonly done: Promise<void>;
  isDone: boolean;
  found: ReadonlySet<Urn>;
  /** Why an entity could not be read; `undefined` as a key: why existence could not. */
  readonly failures: Map<LoadedEntity | undefined, unknown>;
};

export function createAspectLoader(reader: AspectReader): AspectLoader {
  const readUrns = new Set<Urn>();
  let loaded = new Map<Urn, LoadedEntity>();
  let existence = new Map<Urn, Promise<boolean>>();
  let fragments = new Map<string, Promise<string | undefined>>();
  let open: Batch | undefined;

  function openBatch(): Batch {
    if (open !== undefined) return open;
    const batch: Batch = {
      entities: new Set(),
      names: new Set(),
      existing: new Set(),
      done: afterMicrotasks(async () => {
        if (open === batch) open = undefined;
        await readBatch(reader, batch);
        batch.isDone = true;
      }),
      isDone: false,
      found: new Set(),
      failures: new Map(),
    };
    open = batch;
    return batch;
  }

  function entityOf(urn: Urn): LoadedEntity {
    const known = loaded.get(urn);
    if (known !== undefined) return known;
    readUrns.add(urn);
    const entity: LoadedEntity = { urn, aspects: new Map(), batches: new Map() };
    loaded.set(urn, entity);
    return entity;
  }

  function ask(entity: LoadedEntity, name: string): Batch {
    const known = entity.batches.get(name);
    if (known !== undefined) return known;
    const batch = openBatch();
    batch.entities.add(entity);
    batch.names.add(name);
    entity.batches.set(name, batch);
    return batch;
  }

  async function waitForAll(entity: LoadedEntity, batches: ReadonlySet<Batch>): Promise<EntityAspects> {
    for (const batch of batches) {
      if (!batch.isDone) await batch.done;
      throwFailure(batch, entity);
    }
    return entity.aspects;
  }

  return {
    readUrns,
    load(urn, aspectName) {
      const entity = entityOf(urn);
      const batch = ask(entity, aspectName);
      if (batch.isDone && batch.failures.size === 0) return Promise.resolve(entity.aspects.get(aspectName));
      return batch.done.then(() => {
        throwFailure(batch, entity);
        return entity.aspects.get(aspectName);
      });
    },
    loadAll(urn, aspectNames) {
      const entity = entityOf(urn);
      return waitForAll(entity, new Set(aspectNames.map((name) => ask(entity, name))));
    },
    exists(urn) {
      const known = existence.get(urn);
      if (known !== undefined) return known;
      readUrns.add(urn);
      const batch = openBatch();
      batch.existing.add(urn);
      const answer = batch.done.then(() => {
        throwFailure(batch, undefined);
        return batch.found.has(urn);
      });
      existence.set(urn, answer);
      return answer;
    },
    fragment(urn, name) {
      const key = `${name}\n${urn}`;
      const known = fragments.get(key);
      if (known !== undefined) return known;
      readUrns.add(urn);
      const answer = reader.readFragment(urn, name);
      fragments.set(key, answer);
      return answer;
    },
    clear() {
      loaded = new Map();
      existence = new Map();
      fragments = new Map();
      open = undefined;
    },
  };
}

/** Runs the work when nothing is left to do in this turn, so that all that became ready in it is in one batch. */
function afterMicrotasks(work: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    queueMicrotask(() => process.nextTick(() => work().then(resolve, reject)));
  });
}

function throwFailure(batch: Batch, entity: LoadedEntity | undefined): void {
  if (batch.failures.size > 0 && batch.failures.has(entity)) throw batch.failures.get(entity);
}

/** Reads all that a batch asks for; never rejects. */
async function readBatch(reader: AspectReader, batch: Batch): Promise<void> {
  const existing = batch.existing.size === 0 ? undefined : readExistence(reader, batch);
  if (batch.entities.size > 0) await readAspects(reader, batch);
  await existing;
}

async function readExistence(reader: AspectReader, batch: Batch): Promise<void> {
  try {
    batch.found = await reader.existing([...batch.existing]);
  } catch (cause) {
    batch.failures.set(undefined, cause);
  }
}

async function readAspects(reader: AspectReader, batch: Batch): Promise<void> {
  const names = [...batch.names];
  if (batch.entities.size > 1) {
    try {
      const read = await reader.readMany(
        [...batch.entities].map((entity) => entity.urn),
        names,
      );
      for (const entity of batch.entities) keepAspects(batch, entity, names, read.get(entity.urn));
      return;
    } catch {
      // One damaged aspect must not take the others with it: they are read one by one, and each gets its own failure.
    }
  }
  for (const entity of batch.entities) {
    try {
      keepAspects(batch, entity, names, await reader.read(entity.urn, names));
    } catch (cause) {
      batch.failures.set(entity, cause);
    }
  }
}

/** What is there is kept; every name of the batch counts as read, also where only another entity asked for it. */
function keepAspects(
  batch: Batch,
  entity: LoadedEntity,
  names: readonly string[],
  read: EntityAspects | undefined,
): void {
  for (const name of names) {
    const batchOfName = entity.batches.get(name);
    // A later batch may be reading the name again already; what is known first stays, so one request sees one state.
    if (batchOfName === undefined) entity.batches.set(name, batch);
    const aspect = read?.get(name);
    if (aspect !== undefined && (batchOfName === undefined || batchOfName === batch)) {
      entity.aspects.set(name, aspect);
    }
  }
}
