import type { AspectWrite } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { DecisionView } from '../command/command.ts';
import { removeReferences } from '../relationship/edges.ts';
import { urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { tokenDeletions } from '../user/remove-user.ts';

const detachedTypes: ReadonlySet<string> = new Set([
  'glossaryTerm',
  'glossaryNode',
  'tag',
  'domain',
  'corpuser',
  'corpGroup',
]);
const pageSize = 500;

/**
 * The writes, and those that take deleted terms, nodes, tags and domains out of whatever refers to them, columns included:
 * deletion does the same through every door (decision 25). Policies lose deleted users and groups; a user's access tokens go along.
 */
export async function withDetachments(
  view: DecisionView,
  writes: readonly AspectWrite[],
  deleted: readonly Urn[],
): Promise<readonly AspectWrite[]> {
  const gone = deleted.filter((urn) => detachedTypes.has(urnType(urn)));
  if (gone.length === 0) return writes;
  const tokens: AspectWrite[] = [];
  for (const urn of gone) if (urnType(urn) === 'corpuser') tokens.push(...(await tokenDeletions(view, urn)));
  const goneByReferrer = await referrersOf(view, gone);
  for (const urn of deleted) goneByReferrer.delete(urn);

  const changed = new Map<string, AspectWrite>(
    writes.map((write) => [`${write.urn}\n${write.aspect}`, write]),
  );
  const stored = await view.readMany([...goneByReferrer.keys()]);
  for (const [referrer, references] of goneByReferrer) {
    for (const aspect of stored.get(referrer)?.values() ?? []) {
      const key = `${referrer}\n${aspect.name}`;
      const write = changed.get(key);
      if (write !== undefined) continue;
      const body = withoutAny(aspect.name, aspect.body, references);
      if (body !== aspect.body) changed.set(key, { urn: referrer, aspect: aspect.name, body });
    }
  }
  // What the same request says of others is stored without the deleted ones, too.
  return [...changed.values(), ...tokens].map((write) => {
    if (write.body === undefined) return write;
    const body = withoutAny(write.aspect, write.body, gone);
    if (body === write.body) return write;
    const { urn, aspect, systemMetadata } = write;
    return systemMetadata === undefined ? { urn, aspect, body } : { urn, aspect, body, systemMetadata };
  });
}

function withoutAny(aspect: string, body: JsonObject, urns: readonly Urn[]): JsonObject {
  return urns.reduce((rest, urn) => removeReferences(aspect, rest, urn), body);
}

async function referrersOf(view: DecisionView, urns: readonly Urn[]): Promise<Map<Urn, Urn[]>> {
  const referrers = new Map<Urn, Urn[]>();
  for (const urn of urns) {
    for (let start = 0; ; start += pageSize) {
      const query = { urn, direction: 'INCOMING', start, count: pageSize, distinct: true } as const;
      const { items } = await view.relationships(query);
      for (const { urn: referrer } of items) {
        const references = referrers.get(referrer) ?? [];
        if (references.at(-1) !== urn) references.push(urn);
        referrers.set(referrer, references);
      }
      if (items.length < pageSize) break;
    }
  }
  return referrers;
}
