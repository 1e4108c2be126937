import { urnType } from '../urn/urn.ts';
import { searchFieldNamed } from './search-fields.ts';
import type { SearchField } from './search-fields.ts';
import type { IndexedEntity } from './search-index.ts';

/**
 * The values that an entity has in a field, each once: those of all its entries, what its URN says, or what the field says of
 * entities without a value (`orElse`, `absent`).
 */
export function fieldValues(entity: IndexedEntity, field: SearchField): readonly string[] {
  if (field.name === '_entityType') return [urnType(entity.urn)];
  if (field.name === 'urn') return [entity.urn];
  const own = entryValues(entity, field.name);
  if (own.length > 0) return own;
  if (field.orElse !== undefined) return entryValues(entity, field.orElse);
  return field.absent === undefined ? [] : [field.absent];
}

/** The names of what has to be read from entries so that `fieldValues` can answer for these fields. */
export function fieldsInEntries(fields: readonly SearchField[]): readonly string[] {
  const names = new Set<string>();
  for (const field of fields) {
    if (field.name === '_entityType' || field.name === 'urn' || field.kept === 'verdicts') continue;
    if (field.parts === undefined) names.add(field.name);
    if (field.orElse !== undefined) names.add(field.orElse);
    for (const part of field.parts ?? []) {
      const known = searchFieldNamed(part);
      if (known !== undefined) for (const name of fieldsInEntries([known])) names.add(name);
    }
  }
  return [...names];
}

function entryValues(entity: IndexedEntity, name: string): readonly string[] {
  const values = new Set<string>();
  for (const { fields } of entity.entries) for (const value of fields[name] ?? []) values.add(value);
  return [...values];
}
