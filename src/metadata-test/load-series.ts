import type { Aspect } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import { textIn, objectIn } from '../entity/stored-member.ts';
import { isUrn, type Urn } from '../urn/urn.ts';
import { isCompleted, isWholeTable, timeOf, windowMs } from './derive-aspects.ts';
import type { FactSource, LoadedEntity } from './facts.ts';

/** Measurements of one series that are read at most, whatever it holds; older ones do not count. */
const maxMeasurements = 1_024;
const maxSearched = 64;
/** Versions that are read at once. */
const batchSize = 32;
/** Entities whose series are read at once. */
const parallelMax = 8;

/** The edge from an assertion to what it is about. */
export const assertionEdge = 'Asserts';

/** Assertions about one entity; a test that asks for those of an entity with more cannot be decided. */
export const maxAssertions = 1_000;

/** Reads the series of entities that are loaded: what is needed of their versions, the newest first (decision 19). */
export async function loadSeries(
  source: FactSource,
  entities: readonly LoadedEntity[],
  names: ReadonlySet<string>,
  facts: Map<string, LoadedEntity>,
): Promise<void> {
  const wanted = entities.filter(({ series, aspects }) =>
    [...names].some((name) => aspects.has(name) && series?.has(name) !== true),
  );
  for (let start = 0; start < wanted.length; start += parallelMax) {
    await Promise.all(
      wanted.slice(start, start + parallelMax).map(async (entity) => {
        const series = new Map(entity.series);
        for (const name of names) {
          const latest = entity.aspects.get(name);
          if (latest !== undefined && !series.has(name) && isUrn(entity.urn)) {
            series.set(name, await measurementsOf(source, entity.urn, latest));
          }
        }
        facts.set(entity.urn, { ...entity, series });
      }),
    );
  }
}

/** Which assertions are about the entities. */
export async function loadAssertions(
  source: FactSource,
  entities: readonly LoadedEntity[],
  facts: Map<string, LoadedEntity>,
): Promise<void> {
  for (const entity of entities) {
    if (entity.assertions !== undefined || !isUrn(entity.urn)) continue;
    const { items, total } = await source.relationships({
      urn: entity.urn,
      direction: 'INCOMING',
      kinds: [assertionEdge],
      start: 0,
      count: maxAssertions,
      distinct: true,
    });
    const assertions = total > maxAssertions ? 'TOO_MANY' : items.map(({ urn }) => urn);
    facts.set(entity.urn, { ...entity, assertions });
  }
}

async function measurementsOf(source: FactSource, urn: Urn, latest: Aspect): Promise<readonly JsonObject[]> {
  const isFound = searched[latest.name];
  const found: JsonObject[] = [latest.body];
  const first = Math.max(1, latest.version - (isFound === undefined ? maxMeasurements : maxSearched) + 1);
  let until = latest.version - 1;
  let isDone = isFound?.(latest.body) === true;
  while (source.readVersion !== undefined && !isDone && until >= first) {
    const from = Math.max(first, until - batchSize + 1);
    const versions: Promise<Aspect | undefined>[] = [];
    for (let version = until; version >= from; version -= 1) {
      versions.push(source.readVersion(urn, latest.name, version));
    }
    const aspects = (await Promise.all(versions)).filter((aspect) => aspect !== undefined);
    const bodies = aspects.map(({ body }) => body);
    found.push(...bodies);
    isDone =
      isFound === undefined
        ? bodies.every((body) => timeOf(body) < timeOf(latest.body) - windowMs - slackMs)
        : bodies.some(isFound);
    until = from - 1;
  }
  return distinct(found);
}

/** Measurements come in the order of time but for late ones. */
const slackMs = 24 * 60 * 60 * 1000;

/** Of these series one measurement is wanted, the newest such. */
const searched: { readonly [series: string]: ((body: JsonObject) => boolean) | undefined } = {
  datasetProfile: isWholeTable,
  assertionRunEvent: isCompleted,
};

/** A measurement that was sent again for the same time replaces the earlier one; the newest version comes first. */
function distinct(measurements: readonly JsonObject[]): readonly JsonObject[] {
  const known = new Map<string, JsonObject>();
  for (const measurement of measurements) {
    const key = JSON.stringify([
      timeOf(measurement),
      measurement['eventGranularity'],
      textIn(objectIn(measurement, 'partitionSpec'), 'partition'),
      measurement['messageId'],
    ]);
    if (!known.has(key)) known.set(key, measurement);
  }
  return [...known.values()];
}
