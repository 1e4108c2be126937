import type { JsonObject } from '../aspect/json.ts';
import type { Urn } from '../urn/urn.ts';
import { objectIn } from './stored-member.ts';

/** The GraphQL type `CustomPropertiesEntry`. */
export type CustomPropertiesEntry = {
  readonly key: string;
  readonly value: string | null;
  readonly associatedUrn: Urn;
};

/** The map `customProperties` of a stored body as entries, in stored order; `null` when there is none. */
export function customPropertiesOf(body: JsonObject, urn: Urn): readonly CustomPropertiesEntry[] | null {
  const map = objectIn(body, 'customProperties');
  if (map === undefined) return null;
  return Object.entries(map).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? value : null,
    associatedUrn: urn,
  }));
}

/** Resolves `customProperties` of a value that keeps the body it was made from. */
export function customPropertiesField(source: {
  readonly urn: Urn;
  readonly body: JsonObject;
}): readonly CustomPropertiesEntry[] | null {
  return customPropertiesOf(source.body, source.urn);
}
