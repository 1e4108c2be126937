import type { JsonValue } from '../aspect/json.ts';
import type { Command } from '../command/command.ts';
import { objectsIn } from '../entity/stored-member.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { assetDemands, requireAsset } from './property-asset.ts';
import { definitionOf, requireMutable, requirePropertyUrn } from './property-definition.ts';

export type RemoveStructuredPropertiesInput = {
  readonly assetUrn: string;
  readonly structuredPropertyUrns: readonly string[];
};

/**
 * Takes all values of some structured properties away from an entity or a column. What is not there is nothing to remove,
 * and a property need not be defined any more (contract section 7.7). Answers the URN that was written to.
 */
export const removeStructuredProperties: Command<RemoveStructuredPropertiesInput, Urn> = {
  name: 'removeStructuredProperties',
  demands(input) {
    for (const urn of input.structuredPropertyUrns) parseUrn(urn);
    return assetDemands(input.assetUrn);
  },
  async decide(view, input) {
    const asset = await requireAsset(view, input.assetUrn);
    const urns = [...new Set(input.structuredPropertyUrns.map(parseUrn))];
    for (const urn of urns) requirePropertyUrn(urn);
    const body = (await view.read(asset, ['structuredProperties'])).get('structuredProperties')?.body;
    const properties = objectsIn(body, 'properties');
    const there = urns.filter((urn) => properties.some((property) => property['propertyUrn'] === urn));
    if (there.length === 0) return { writes: [], result: asset };
    const definitions = await view.readMany(there, ['propertyDefinition']);
    for (const [urn, aspects] of definitions) {
      const definition = aspects.get('propertyDefinition');
      if (definition !== undefined) requireMutable(definitionOf(urn, definition.body));
    }
    const gone = new Set<JsonValue | undefined>(there);
    const kept = properties.filter((property) => !gone.has(property['propertyUrn']));
    return {
      writes: [{ urn: asset, aspect: 'structuredProperties', body: { ...body, properties: kept } }],
      result: asset,
    };
  },
};
