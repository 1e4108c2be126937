import { entityTypeOf } from '../entity/entity-registry.ts';
import { isSecretAspect } from '../entity/secret-aspects.ts';
import { searchEntryOf } from '../search-index/search-entry-of.ts';
import { searchFieldNamed } from '../search-index/search-fields.ts';
import { type Urn, urnType } from '../urn/urn.ts';
import type { AspectSource } from './aspect-source.ts';

/** GraphQL's `ExtraProperty`. */
type ExtraProperty = { readonly name: string; readonly value: string };

/**
 * The values of search fields of one entity as JSON: a text where there is one value, a list where there are several. Fields
 * without a value are left out.
 */
export async function extraPropertiesOf(
  urn: Urn,
  fields: readonly string[],
  source: Pick<AspectSource, 'loadAll'>,
): Promise<readonly ExtraProperty[]> {
  if (fields.length === 0) return [];
  const names = [...(entityTypeOf(urnType(urn))?.aspects ?? [])].filter((name) => !isSecretAspect(name));
  const values = new Map<string, string[]>();
  for (const [aspect, { body }] of await source.loadAll(urn, names)) {
    for (const [name, found] of Object.entries(searchEntryOf(urn, aspect, body)?.fields ?? {})) {
      values.set(name, [...(values.get(name) ?? []), ...found]);
    }
  }
  return fields.flatMap((asked) => {
    const { name, orElse } = searchFieldNamed(asked) ?? {};
    const found = values.get(name ?? '') ?? values.get(orElse ?? '');
    if (found === undefined) return [];
    return { name: asked, value: JSON.stringify(found.length === 1 ? found[0] : found) };
  });
}
