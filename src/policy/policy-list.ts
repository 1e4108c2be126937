import type { AspectReader } from '../aspect/aspect-store.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { booleanIn, integerIn, listIn, objectIn, textIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';

export type StoredPolicy = { readonly urn: Urn; readonly body: JsonObject };

type FacetFilter = {
  readonly field: string;
  readonly values?: readonly string[] | null;
  readonly negated?: boolean | null;
  readonly condition?: string | null;
};

export type PolicyQuery = {
  readonly start?: number | null;
  readonly count?: number | null;
  readonly query?: string | null;
  readonly orFilters?: readonly { readonly and?: readonly FacetFilter[] | null }[] | null;
};

const pageSizeDefault = 10;
const pageSizeMax = 1_000;
const scanPageSize = 1_000;

const texts = (values: readonly JsonValue[]): readonly string[] =>
  values.filter((value) => typeof value === 'string');

/** What policies are filtered by, as DataHub's index names it. */
const fields: Readonly<Record<string, (body: JsonObject) => readonly string[]>> = {
  name: (body) => [textIn(body, 'displayName') ?? ''],
  displayName: (body) => [textIn(body, 'displayName') ?? ''],
  state: (body) => [textIn(body, 'state') ?? ''],
  type: (body) => [textIn(body, 'type') ?? ''],
  editable: (body) => [String(booleanIn(body, 'editable') !== false)],
  privileges: (body) => texts(listIn(body, 'privileges')),
  users: (body) => texts(listIn(objectIn(body, 'actors'), 'users')),
  groups: (body) => texts(listIn(objectIn(body, 'actors'), 'groups')),
  roles: (body) => texts(listIn(objectIn(body, 'actors'), 'roles')),
};

/** A page of the policies, those changed last first, then by name. Throws BAD_REQUEST for a filter that is not known. */
export async function listPolicies(
  reader: AspectReader,
  query: PolicyQuery,
): Promise<{ readonly start: number; readonly total: number; readonly policies: readonly StoredPolicy[] }> {
  const matches = matcherOf(query);
  const found = (await storedPolicies(reader)).filter(({ body }) => matches(body));
  found.sort(
    (left, right) =>
      changedAt(right) - changedAt(left) ||
      nameOf(left).localeCompare(nameOf(right), 'en') ||
      (left.urn < right.urn ? -1 : 1),
  );
  const start = Math.max(0, query.start ?? 0);
  const count = Math.min(pageSizeMax, Math.max(0, query.count ?? pageSizeDefault));
  return { start, total: found.length, policies: found.slice(start, start + count) };
}

async function storedPolicies(reader: AspectReader): Promise<StoredPolicy[]> {
  const policies: StoredPolicy[] = [];
  for (let start = 0; ; start += scanPageSize) {
    const page = await reader.entities({ type: 'dataHubPolicy', start, count: scanPageSize });
    for (const [urn, aspects] of await reader.readMany(page.items, ['dataHubPolicyInfo'])) {
      const info = aspects.get('dataHubPolicyInfo');
      if (info !== undefined) policies.push({ urn, body: info.body });
    }
    if (page.items.length === 0 || start + page.items.length >= page.total) return policies;
  }
}

function matcherOf({ query, orFilters }: PolicyQuery): (body: JsonObject) => boolean {
  const words = (query ?? '').trim().toLowerCase();
  const isAny = words === '' || words === '*';
  const groups = (orFilters ?? []).map(({ and }) => (and ?? []).map(filterOf));
  return (body) =>
    (isAny ||
      ['displayName', 'description'].some((member) =>
        (textIn(body, member) ?? '').toLowerCase().includes(words),
      )) &&
    (groups.length === 0 || groups.some((group) => group.every((filter) => filter(body))));
}

function filterOf({ field, values, negated, condition }: FacetFilter): (body: JsonObject) => boolean {
  const valuesIn = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (valuesIn === undefined) {
    throw new PostilError(
      'BAD_REQUEST',
      `Policies are filtered by ${Object.keys(fields).join(', ')}, not by ${field}`,
    );
  }
  const kind = condition ?? 'EQUAL';
  if (!['EQUAL', 'IN', 'CONTAIN'].includes(kind)) {
    throw new PostilError('BAD_REQUEST', `The filter on ${field} takes EQUAL, IN or CONTAIN, not ${kind}`);
  }
  const wanted = values ?? [];
  return (body) => {
    const found = valuesIn(body);
    const isFound = wanted.some((value) =>
      found.some((each) => (kind === 'CONTAIN' ? each.includes(value) : each === value)),
    );
    return isFound !== (negated === true);
  };
}

function changedAt({ body }: StoredPolicy): number {
  return integerIn(body, 'lastUpdatedTimestamp') ?? 0;
}

function nameOf({ urn, body }: StoredPolicy): string {
  return textIn(body, 'displayName') ?? urn;
}
