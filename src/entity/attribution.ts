import type { JsonObject } from '../aspect/json.ts';
import { referredEntity } from './graphql-types.ts';
import type { EntityValue } from './graphql-types.ts';
import { integerIn, objectIn } from './stored-member.ts';
import { textMapIn } from './text-map.ts';
import type { TextMapEntry } from './text-map.ts';

/** The GraphQL type `MetadataAttribution`. */
export type Attribution = {
  readonly time: number;
  readonly actor: EntityValue | null;
  readonly source: EntityValue | null;
  readonly sourceDetail: readonly TextMapEntry[] | null;
};

/** Where an attached element came from; `null` when it does not say. */
export function attributionOf(element: JsonObject): Attribution | null {
  const attribution = objectIn(element, 'attribution');
  if (attribution === undefined) return null;
  return {
    time: integerIn(attribution, 'time') ?? 0,
    actor: referredEntity(attribution['actor']) ?? null,
    source: referredEntity(attribution['source']) ?? null,
    sourceDetail: textMapIn(attribution, 'sourceDetail'),
  };
}
