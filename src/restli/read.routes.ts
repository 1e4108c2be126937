import type { Aspect, EntityAspects } from '../aspect/aspect.ts';
import type { Caller } from '../auth/caller.ts';
import { aspectSpecOf, keyBodyOf, requireAspect, requireEntityType } from '../entity/entity-registry.ts';
import type { EntityType } from '../entity/entity-registry.ts';
import { isSecretAspect } from '../entity/secret-aspects.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Route, RouteRequest } from '../http/route.ts';
import { parseUrn, urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { requireReadable, seesSecrets } from './guarded-reads.ts';
import { restliErrorAnswer } from './restli-error.ts';
import { decodePart, parseList, rawParameter, urnOfPath } from './restli-uri.ts';

const entitiesMax = 1_000;
/** Before anything is known of a time or an actor (contract section 6). */
const unknownStamp = '{"time":0,"actor":"urn:li:corpuser:unknown"}';

type ReadRoute = Pick<Route, 'path' | 'handle'>;

/** What readers get instead of the stored results of metadata tests; entities without any are left out. */
export type ShownResults = (
  stored: ReadonlyMap<Urn, Aspect | undefined>,
) => Promise<ReadonlyMap<Urn, Aspect>>;

/**
 * The reads of rest.li (wire 3.4, 3.5). Bodies of aspects are passed on as they are stored, except for results of metadata
 * tests (decision 24), which are asked for only where they are wanted.
 */
const readsOf = (shownResults: ShownResults): readonly ReadRoute[] => [
  {
    path: '/aspects/{urn}',
    async handle({ pathParameters, rawQuery, caller, services }) {
      const urn = urnOfPath(pathParameters['urn']);
      const name = decodePart(rawParameter(rawQuery, 'aspect') ?? '');
      if (name === '') throw refused("Parameter 'aspect' is required");
      const { className } = requireAspect(urnType(urn), name);
      const version = versionOf(rawParameter(rawQuery, 'version'));
      requireReadable(caller, urn, [name]);
      const stored =
        version === 0
          ? (await services.reader.read(urn, [name])).get(name)
          : await services.reader.readVersion(urn, name, version);
      const aspect =
        name === 'testResults' && version === 0
          ? (await shownResults(new Map([[urn, stored]]))).get(urn)
          : stored;
      if (aspect === undefined) {
        const which = version === 0 ? '' : ` in version ${version}`;
        throw new PostilError('ENTITY_NOT_FOUND', `${urn} has no aspect ${name}${which}`);
      }
      const body =
        `{"version":${version},"aspect":{${JSON.stringify(className)}:${aspect.text}},` +
        `"systemMetadata":${systemMetadataText(aspect)}}`;
      return { status: 200, body };
    },
  },
  {
    path: '/entitiesV2/{urn}',
    async handle(request) {
      const urn = urnOfPath(request.pathParameters['urn']);
      const selection = selectionOf(request, [urn]);
      const stored = await request.services.reader.read(urn, selection.namesToRead);
      const shown = await withResults(new Map([[urn, stored]]), selection, shownResults);
      const body = entityText(urn, shown.get(urn) ?? stored, selection);
      if (body === undefined) throw new PostilError('ENTITY_NOT_FOUND', `${urn} has none of these aspects`);
      return { status: 200, body };
    },
  },
  {
    path: '/entitiesV2',
    async handle(request) {
      const ids = rawParameter(request.rawQuery, 'ids');
      if (ids === undefined) throw refused("Parameter 'ids' is required");
      const urns = [...new Set(parseList(ids).map(parseUrn))];
      if (urns.length > entitiesMax) {
        throw new PostilError(
          'LIMIT_EXCEEDED',
          `${urns.length} ids were asked for, ${entitiesMax} are the limit`,
        );
      }
      const selection = selectionOf(request, urns);
      const read = await request.services.reader.readMany(urns, selection.namesToRead);
      const stored = await withResults(read, selection, shownResults);
      const results = urns.flatMap((urn) => {
        const text = entityText(urn, stored.get(urn) ?? new Map(), selection);
        return text === undefined ? [] : [`${JSON.stringify(urn)}:${text}`];
      });
      return { status: 200, body: `{"results":{${results.join(',')}},"statuses":{},"errors":{}}` };
    },
  },
];

export function readRoutes(shownResults: ShownResults): readonly Route[] {
  return readsOf(shownResults).map((route) => ({
    ...route,
    method: 'GET',
    bodyBytesMax: 0,
    answerError: restliErrorAnswer,
  }));
}

/** The same aspects, with the results that readers get where results are wanted. */
async function withResults(
  read: ReadonlyMap<Urn, EntityAspects>,
  { asked }: Selection,
  shownResults: ShownResults,
): Promise<ReadonlyMap<Urn, EntityAspects>> {
  if (asked?.has('testResults') === false) return read;
  const stored = [...read]
    .filter(([urn]) => requireEntityType(urnType(urn)).aspects.has('testResults'))
    .map(([urn, aspects]) => [urn, aspects.get('testResults')] as const);
  if (stored.length === 0) return read;
  const shown = await shownResults(new Map(stored));
  return new Map(
    [...read].map(([urn, aspects]): [Urn, EntityAspects] => {
      const results = shown.get(urn);
      return [urn, results === undefined ? aspects : new Map([...aspects, ['testResults', results]])];
    }),
  );
}

type Selection = {
  /** Aspects that were named; `undefined`: all versioned ones. */
  readonly asked: ReadonlySet<string> | undefined;
  readonly namesToRead?: readonly string[];
  readonly withKey: boolean;
  readonly caller: Caller | undefined;
};

/** Throws UNKNOWN_ASPECT when none of the names is known (wire 3.5), UNKNOWN_ENTITY_TYPE, FORBIDDEN. */
function selectionOf({ rawQuery, caller }: RouteRequest, urns: readonly Urn[]): Selection {
  const types = new Set(urns.map((urn) => requireEntityType(urnType(urn))));
  const withKey = rawParameter(rawQuery, 'alwaysIncludeKeyAspect') !== 'false';
  const rawAspects = rawParameter(rawQuery, 'aspects');
  const names = rawAspects === undefined ? [] : parseList(rawAspects);
  for (const urn of urns) requireReadable(caller, urn, names);
  if (names.length === 0) return { asked: undefined, withKey, caller };
  for (const type of types) {
    const [first] = names;
    if (first !== undefined && !names.some((name) => type.aspects.has(name))) requireAspect(type.name, first);
  }
  const keys = [...types].map((type) => type.keyAspect);
  return { asked: new Set(names), namesToRead: [...new Set([...names, ...keys])], withKey, caller };
}

function entityText(urn: Urn, stored: EntityAspects, selection: Selection): string | undefined {
  const type = requireEntityType(urnType(urn));
  const aspects: string[] = [];
  const key = stored.get(type.keyAspect);
  if (selection.withKey || (key !== undefined && isSelected(type.keyAspect, selection))) {
    aspects.push(key === undefined ? computedKeyText(urn, type) : aspectText(key));
  }
  for (const [name, aspect] of stored) {
    if (name !== type.keyAspect && isSelected(name, selection)) aspects.push(aspectText(aspect));
  }
  if (aspects.length === 0) return undefined;
  return `{"entityName":${JSON.stringify(type.name)},"urn":${JSON.stringify(urn)},"aspects":{${aspects.join(',')}}}`;
}

function isSelected(name: string, { asked, caller }: Selection): boolean {
  if (asked !== undefined) return asked.has(name);
  if (isSecretAspect(name) && !seesSecrets(caller)) return false;
  return aspectSpecOf(name)?.isTimeseries !== true;
}

function aspectText(aspect: Aspect): string {
  const name = JSON.stringify(aspect.name);
  const kind = aspectSpecOf(aspect.name)?.isTimeseries === true ? 'TIMESERIES' : 'VERSIONED';
  const { time, actor } = aspect.stamp;
  return (
    `${name}:{"name":${name},"type":"${kind}","version":0,"value":${aspect.text},` +
    `"created":{"time":${time},"actor":${JSON.stringify(actor)}},"systemMetadata":${systemMetadataText(aspect)}}`
  );
}

/** The key that the URN says, for an entity that was never written: clients decide existence by other means. */
function computedKeyText(urn: Urn, type: EntityType): string {
  const name = JSON.stringify(type.keyAspect);
  const value = JSON.stringify(keyBodyOf(urn));
  return `${name}:{"name":${name},"type":"VERSIONED","version":0,"value":${value},"created":${unknownStamp}}`;
}

/** What was sent with the aspect, and the version, by which clients make conditional writes (wire 5.1). */
function systemMetadataText(aspect: Aspect): string {
  return JSON.stringify({ ...aspect.systemMetadata, version: String(aspect.version) });
}

function versionOf(raw: string | undefined): number {
  const text = raw === undefined ? '0' : decodePart(raw);
  if (!/^\d{1,15}$/.test(text))
    throw refused(`Parameter 'version' must be a whole number from 0, not ${JSON.stringify(text)}`);
  return Number(text);
}

function refused(message: string): PostilError {
  return new PostilError('BAD_REQUEST', message);
}
