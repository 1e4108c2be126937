import { entityTypeOf } from '../entity/entity-registry.ts';
import { isSecretAspect } from '../entity/secret-aspects.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import { searchEntryOf } from '../search-index/search-entry-of.ts';
import { type Urn, urnType } from '../urn/urn.ts';

/** GraphQL's `ExtraProperty`. */
type ExtraProperty = { readonly name: string; readonly value: string };

/**
 * The values of search fields of one entity as JSON: a text where there is one value, a list where there are several. Fields
 * without a value are left out.
 */
export async function extraPropertiesOf(
  urn: Urn,
  fields: readonly string[],
  context: RequestContext,
): Promise<readonly ExtraProperty[]> {
  if (fields.length === 0) return [];
  const names = [...(entityTypeOf(urnType(urn))?.aspects ?? [])].filter((name) => !isSecretAspect(name));
  const values = new Map<string, string[]>();
  for (const [aspect, { body }] of await context.loadAll(urn, names)) {
    const entry = searchEntryOf(urn, aspect, body);
    for (const field of fields) {
      const found = entry?.fields[field];
      if (found !== undefined) values.set(field, [...(values.get(field) ?? []), ...found]);
    }
  }
  return [...values].map(([name, found]) => ({
    name,
    value: JSON.stringify(found.length === 1 ? found[0] : found),
  }));
}
