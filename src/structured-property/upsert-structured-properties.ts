import type { AuditStamp } from '../aspect/aspect.ts';
import { jsonEqual, type JsonObject, type JsonValue } from '../aspect/json.ts';
import type { Command } from '../command/command.ts';
import { objectsIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { assetDemands, requireAsset } from './property-asset.ts';
import {
  requireDefinitions,
  requireMutable,
  requireTarget,
  type PropertyDefinition,
  type StoredValue,
} from './property-definition.ts';
import { checkedValues, type PropertyValueInput } from './property-values.ts';

export type UpsertStructuredPropertiesInput = {
  readonly assetUrn: string;
  readonly structuredPropertyInputParams: readonly {
    readonly structuredPropertyUrn: string;
    readonly values: readonly (PropertyValueInput | null)[];
  }[];
};

/**
 * Gives an entity or a column values of structured properties, in the place of those it had of the same properties; others
 * stay. All or nothing, each assignment with stamps of its own (wire 6.3). Answers the URN that was written to.
 */
export const upsertStructuredProperties: Command<UpsertStructuredPropertiesInput, Urn> = {
  name: 'upsertStructuredProperties',
  demands(input) {
    for (const { structuredPropertyUrn } of input.structuredPropertyInputParams)
      parseUrn(structuredPropertyUrn);
    return assetDemands(input.assetUrn);
  },
  async decide(view, input, { caller, now }) {
    const asset = await requireAsset(view, input.assetUrn);
    const params = input.structuredPropertyInputParams.map(({ structuredPropertyUrn, values }) => ({
      urn: parseUrn(structuredPropertyUrn),
      values,
    }));
    const definitions = await requireDefinitions(
      view,
      params.map(({ urn }) => urn),
    );
    const assigned = new Map<Urn, readonly StoredValue[]>();
    for (const { urn, values } of params) {
      if (assigned.has(urn)) {
        throw new PostilError(
          'BAD_REQUEST',
          `The property ${urn} is given twice. Name it once, with all its values.`,
        );
      }
      const definition = definitions.get(urn);
      if (definition === undefined) continue;
      requireTarget(definition, asset);
      assigned.set(urn, checkedValues(definition, values));
    }
    const body = (await view.read(asset, ['structuredProperties'])).get('structuredProperties')?.body;
    const properties = objectsIn(body, 'properties');
    const changed = withAssigned(properties, assigned, definitions, { time: now, actor: caller.actor });
    if (changed === properties) return { writes: [], result: asset };
    return {
      writes: [{ urn: asset, aspect: 'structuredProperties', body: { ...body, properties: changed } }],
      result: asset,
    };
  },
};

/** The same list when every assignment is there already. */
function withAssigned(
  properties: readonly JsonObject[],
  assigned: ReadonlyMap<Urn, readonly StoredValue[]>,
  definitions: ReadonlyMap<Urn, PropertyDefinition>,
  stamp: AuditStamp,
): readonly JsonObject[] {
  const missing = new Map<JsonValue | undefined, readonly StoredValue[]>(assigned);
  const kept = properties.map((property) => {
    const urn = property['propertyUrn'];
    const values = missing.get(urn);
    missing.delete(urn);
    if (values === undefined || jsonEqual(property['values'], values)) return property;
    const definition = definitions.get(parseUrn(String(urn)));
    if (definition !== undefined) requireMutable(definition);
    return { ...property, values, lastModified: stamp };
  });
  if (missing.size === 0 && kept.every((property, index) => property === properties[index])) {
    return properties;
  }
  const added = [...missing].map(([propertyUrn, values]) => ({
    propertyUrn,
    values,
    created: stamp,
    lastModified: stamp,
  }));
  return [...kept, ...added];
}
