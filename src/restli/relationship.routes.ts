import type { Caller } from '../auth/caller.ts';
import { requireEntityType } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Route, RouteRequest } from '../http/route.ts';
import { namedRelationships } from '../relationship/named-relationships.ts';
import { parseUrn, urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { requireReadable } from './guarded-reads.ts';
import { requireCaller } from './require-caller.ts';
import { restliErrorAnswer } from './restli-error.ts';
import { decodePart, parseList, rawParameter, urnOfPath } from './restli-uri.ts';

/** As many as DataHub tells when nobody says how many. */
const countUsual = 200;

const get = { method: 'GET', bodyBytesMax: 0, answerError: restliErrorAnswer } as const;

/** The relationships of an entity (wire 3.10), those with soft-deleted entities included, as in DataHub. */
export const relationshipRoutes: readonly Route[] = [
  {
    ...get,
    path: '/relationships',
    async handle(request) {
      const parameter = (name: string): string | undefined => {
        const raw = rawParameter(request.rawQuery, name);
        return raw === undefined ? undefined : decodePart(raw);
      };
      const kinds = parseList(rawParameter(request.rawQuery, 'types') ?? '');
      const urn = urnOfPath(required('urn', rawParameter(request.rawQuery, 'urn')));
      const { start, total, items } = await related(request, { urn, kinds, kindsName: 'types', parameter });
      const relationships = items.map((item) => ({ type: item.kind, entity: item.urn }));
      return {
        status: 200,
        body: JSON.stringify({ start, count: relationships.length, relationships, total }),
      };
    },
  },
  {
    ...get,
    path: '/openapi/relationships/v1',
    async handle(request) {
      const parameter = (name: string): string | undefined => request.query.get(name) ?? undefined;
      const kinds = request.query.getAll('relationshipTypes').flatMap((each) => each.split(','));
      const urn = parseUrn(required('urn', parameter('urn')));
      const { start, total, items } = await related(request, {
        urn,
        kinds,
        kindsName: 'relationshipTypes',
        parameter,
      });
      const entities = items.map((item) => ({ urn: item.urn, relationshipType: item.kind, via: null }));
      return { status: 200, body: JSON.stringify({ start, count: entities.length, total, entities }) };
    },
  },
];

type Asked = {
  readonly urn: Urn;
  readonly kinds: readonly string[];
  readonly kindsName: string;
  parameter(name: string): string | undefined;
};

/** Throws UNKNOWN_ENTITY_TYPE, FORBIDDEN for what the caller may not see, BAD_REQUEST and LIMIT_EXCEEDED for bad parameters. */
async function related(
  request: RouteRequest,
  { urn, kinds: asked, kindsName, parameter }: Asked,
): Promise<Awaited<ReturnType<typeof namedRelationships>> & { readonly start: number }> {
  const caller: Caller = requireCaller(request.caller);
  const { reader } = request.services;
  requireEntityType(urnType(urn));
  requireReadable(caller, urn, []);
  const kinds = asked.filter((kind) => kind !== '');
  if (kinds.length === 0) throw refused(`Parameter '${kindsName}' is required`);
  const direction = required('direction', parameter('direction'));
  if (direction !== 'INCOMING' && direction !== 'OUTGOING') {
    throw refused(`Parameter 'direction' must be INCOMING or OUTGOING, not ${JSON.stringify(direction)}`);
  }
  const start = wholeNumber('start', parameter('start'), 0);
  const count = wholeNumber('count', parameter('count'), countUsual);
  const page = await namedRelationships(
    { urn, kinds, direction, start, count, withRemoved: true },
    { reader, caller, load: async (of, name) => (await reader.read(of, [name])).get(name) },
  );
  return { ...page, start };
}

function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw refused(`Parameter '${name}' is required`);
  return value;
}

function wholeNumber(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  if (!/^\d{1,9}$/.test(text)) {
    throw refused(`Parameter '${name}' must be a whole number from 0, not ${JSON.stringify(text)}`);
  }
  return Number(text);
}

function refused(message: string): PostilError {
  return new PostilError('BAD_REQUEST', message);
}
