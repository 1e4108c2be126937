import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { requireEntityType } from '../entity/entity-registry.ts';
import { isReadableType } from '../entity/graphql-types.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { FilterCondition, SearchQuery, SearchSort } from '../search/search-engine.ts';
import {
  type AlternativeInput,
  type CriterionInput,
  facetValuesOf,
  filterOf,
  textOf,
  windowMax,
} from '../search/search-request.ts';
import { usuallySearchedTypes } from '../search/searched-types.ts';

const countUsual = 10;

/** DataHub's conditions, those included that other clients than GraphQL's have. */
const conditions: ReadonlyMap<string, FilterCondition | 'IS_NULL'> = new Map(
  (
    [
      'EQUAL',
      'IEQUAL',
      'IN',
      'CONTAIN',
      'EXISTS',
      'IS_NULL',
      'START_WITH',
      'END_WITH',
      'GREATER_THAN',
      'GREATER_THAN_OR_EQUAL_TO',
      'LESS_THAN',
      'LESS_THAN_OR_EQUAL_TO',
      'DESCENDANTS_INCL',
      'ANCESTORS_INCL',
      'RELATED_INCL',
    ] as const
  ).map((name) => [name, name]),
);

/** The parameters of a rest.li action. Throws BAD_REQUEST unless the body is an object. */
export function parametersOf(body: unknown): JsonObject {
  if (!isJsonObject(body)) throw refused('The body of a search must be a JSON object');
  return body;
}

/** The parameter `input`, which has to be there. Throws BAD_REQUEST. */
export function textIn(parameters: JsonObject): string {
  const input = parameters['input'];
  if (typeof input !== 'string') throw refused("Parameter 'input' is required; '*' finds everything");
  return textOf(input);
}

/** The parameter `entity`. Throws BAD_REQUEST, UNKNOWN_ENTITY_TYPE. */
export function typeIn(parameters: JsonObject): string {
  const name = parameters['entity'];
  if (typeof name !== 'string') throw refused("Parameter 'entity' is required: the name of an entity type");
  return searchableType(name);
}

/** The parameter `entities`; without any, the types that are usually searched. Throws BAD_REQUEST, UNKNOWN_ENTITY_TYPE. */
export function typesIn(parameters: JsonObject): readonly string[] {
  const names = textsIn(parameters['entities'], "Parameter 'entities'");
  return names.length === 0 ? usuallySearchedTypes() : [...new Set(names.map(searchableType))];
}

/** What GraphQL cannot show is not searched here either: the very ids of some entities are a secret. */
function searchableType(name: string): string {
  const type = requireEntityType(name).name;
  if (!isReadableType(type)) throw refused(`Entities of type ${type} cannot be searched`);
  return type;
}

/** The parameters `start` and `count`. Throws BAD_REQUEST, LIMIT_EXCEEDED for what is further away than pages reach. */
export function pageIn(parameters: JsonObject): Pick<SearchQuery, 'start' | 'count'> {
  const start = wholeNumber('start', parameters['start'], 0);
  const count = wholeNumber('count', parameters['count'], countUsual);
  if (start + count > windowMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `start is ${start} and count ${count}; pages by number reach ${windowMax} entries. Use scrollAcrossEntities of GraphQL.`,
    );
  }
  return { start, count };
}

/** The parameters `filter` and `searchFlags.includeSoftDeleted`. Throws BAD_REQUEST. */
export function scopeIn(parameters: JsonObject): Pick<SearchQuery, 'filter' | 'includeSoftDeleted'> {
  const flags = objectIn(parameters['searchFlags'], "Parameter 'searchFlags'");
  const filter = objectIn(parameters['filter'], "Parameter 'filter'");
  const alternatives = objectsIn(filter['or'], "'or' of the filter").map((each): AlternativeInput => ({
    and: objectsIn(each['and'], "'and' of an alternative of the filter").map(criterionIn),
  }));
  // How filters were written before they had alternatives.
  const always = objectsIn(filter['criteria'], "'criteria' of the filter").map(criterionIn);
  return filterOf(always, alternatives, flags['includeSoftDeleted'] === true);
}

/** What `searchFlags` leaves out of the answer. Throws BAD_REQUEST, LIMIT_EXCEEDED. */
export function flagsIn(
  parameters: JsonObject,
): Pick<SearchQuery, 'facets' | 'facetValuesMax' | 'withoutMatches'> {
  const flags = objectIn(parameters['searchFlags'], "Parameter 'searchFlags'");
  const sent = flags['maxAggValues'] ?? undefined;
  const maxAggValues = sent === undefined ? undefined : wholeNumber('maxAggValues', sent, 0);
  return {
    ...(flags['skipAggregates'] === true
      ? { facets: [] }
      : { facetValuesMax: facetValuesOf(maxAggValues === undefined ? undefined : { maxAggValues }) }),
    withoutMatches: flags['skipHighlighting'] === true,
  };
}

/** The parameters `sort` and `sortCriteria`; nothing for relevance. Throws BAD_REQUEST. */
export function sortIn(parameters: JsonObject): Pick<SearchQuery, 'sort'> {
  const several = objectsIn(parameters['sortCriteria'], "Parameter 'sortCriteria'");
  const one = parameters['sort'] ?? undefined;
  const criteria = several.length > 0 || one === undefined ? several : [objectIn(one, "Parameter 'sort'")];
  return criteria.length === 0 ? {} : { sort: criteria.map(sortOf) };
}

function sortOf({ field, order }: JsonObject): SearchSort {
  if (typeof field !== 'string') throw refused("A sort criterion needs a 'field'");
  if (order !== 'ASCENDING' && order !== 'DESCENDING') {
    throw refused(`'order' of the sort by ${JSON.stringify(field)} must be ASCENDING or DESCENDING`);
  }
  return { field, descending: order === 'DESCENDING' };
}

function criterionIn(criterion: JsonObject): CriterionInput {
  const { field, value, condition: sentCondition, negated: sentNegated } = criterion;
  if (typeof field !== 'string') throw refused("A criterion of the filter needs a 'field'");
  const place = `the criterion on ${JSON.stringify(field)}`;
  const name = sentCondition ?? 'EQUAL';
  const condition = typeof name === 'string' ? conditions.get(name) : undefined;
  if (condition === undefined) {
    const known = [...conditions.keys()].join(', ');
    throw refused(`${JSON.stringify(name)} is no condition, in ${place}; conditions are ${known}`);
  }
  const negated = sentNegated ?? false;
  if (typeof negated !== 'boolean') throw refused(`'negated' of ${place} must be true or false`);
  const several = textsIn(criterion['values'], `'values' of ${place}`);
  const single = value ?? '';
  if (typeof single !== 'string') throw refused(`'value' of ${place} must be a text`);
  // Old clients send one value, and newer ones an empty one beside `values`.
  const values = several.length > 0 || single === '' ? several : [single];
  return condition === 'IS_NULL'
    ? { field, values: [], condition: 'EXISTS', negated: !negated }
    : { field, values, condition, negated };
}

function wholeNumber(name: string, value: JsonValue | undefined, usual: number): number {
  const number = value ?? usual;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
    throw refused(`Parameter '${name}' must be a whole number from 0, not ${JSON.stringify(number)}`);
  }
  return number;
}

function objectIn(value: JsonValue | undefined, what: string): JsonObject {
  const sent = value ?? {};
  if (!isJsonObject(sent)) throw refused(`${what} must be an object`);
  return sent;
}

function objectsIn(value: JsonValue | undefined, what: string): readonly JsonObject[] {
  const sent = value ?? [];
  if (!Array.isArray(sent) || !sent.every(isJsonObject)) throw refused(`${what} must be a list of objects`);
  return sent;
}

function textsIn(value: JsonValue | undefined, what: string): readonly string[] {
  const sent = value ?? [];
  if (!Array.isArray(sent) || !sent.every((each) => typeof each === 'string')) {
    throw refused(`${what} must be a list of texts`);
  }
  return sent;
}

function refused(message: string): PostilError {
  return new PostilError('BAD_REQUEST', message);
}
