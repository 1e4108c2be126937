import type { AspectWrite } from '../aspect/aspect.ts';
import { jsonEqual, type JsonObject } from '../aspect/json.ts';
import type { Command } from '../command/command.ts';
import { listIn, objectIn, objectsIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { allowedValuesOf, type AllowedValueInput } from './allowed-values.ts';
import { manageStructuredProperties } from './create-structured-property.ts';
import {
  requireBearerType,
  requireDefinitions,
  requireEntityTypeUrn,
  type PropertyDefinition,
} from './property-definition.ts';
import { settingsWith, type PropertySettingsInput } from './property-settings.ts';

export type UpdateStructuredPropertyInput = {
  readonly urn: string;
  readonly displayName?: string | null;
  readonly description?: string | null;
  readonly immutable?: boolean | null;
  readonly typeQualifier?: { readonly newAllowedTypes?: readonly string[] | null } | null;
  readonly newAllowedValues?: readonly AllowedValueInput[] | null;
  readonly setCardinalityAsMultiple?: boolean | null;
  readonly newEntityTypes?: readonly string[] | null;
  readonly settings?: PropertySettingsInput | null;
};

/**
 * Changes how a structured property is shown, and widens what it takes. It is never narrowed, so every value that was once
 * accepted stays one that fits. Answers its URN.
 */
export const updateStructuredProperty: Command<UpdateStructuredPropertyInput, Urn> = {
  name: 'updateStructuredProperty',
  demands(input) {
    parseUrn(input.urn);
    return manageStructuredProperties;
  },
  async decide(view, input, { caller, now }) {
    const urn = parseUrn(input.urn);
    const definition = (await requireDefinitions(view, [urn])).get(urn);
    if (definition === undefined) return { writes: [], result: urn };
    const stamp = { time: now, actor: caller.actor };
    const writes: AspectWrite[] = [];
    const changed: JsonObject = { ...definition.body, ...changesOf(definition, input) };
    if (!jsonEqual(changed, definition.body)) {
      writes.push({ urn, aspect: 'propertyDefinition', body: { ...changed, lastModified: stamp } });
    }
    const { settings } = input;
    if (settings !== null && settings !== undefined) {
      const aspect = 'structuredPropertySettings';
      const before = (await view.read(urn, [aspect])).get(aspect)?.body;
      const body = settingsWith(before, settings, stamp);
      if (body !== before) writes.push({ urn, aspect, body });
    }
    return { writes, result: urn };
  },
};

function changesOf(definition: PropertyDefinition, input: UpdateStructuredPropertyInput): JsonObject {
  const { displayName, description, immutable } = input;
  const { body } = definition;
  return {
    ...(typeof displayName === 'string' ? { displayName } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof immutable === 'boolean' ? { immutable } : {}),
    ...(input.setCardinalityAsMultiple === true ? { cardinality: 'MULTIPLE' } : {}),
    ...widened('entityTypes', body, (input.newEntityTypes ?? []).map(requireBearerType)),
    ...typeQualifierWith(definition, input.typeQualifier?.newAllowedTypes ?? []),
    ...allowedValuesWith(definition, input.newAllowedValues ?? []),
  };
}

function typeQualifierWith(
  { urn, body, valueType, allowedTypes }: PropertyDefinition,
  added: readonly string[],
): JsonObject {
  const types = added.map(requireEntityTypeUrn);
  if (types.length === 0) return {};
  if (valueType?.id !== 'urn' || allowedTypes.length === 0) {
    throw new PostilError(
      'BAD_REQUEST',
      `${urn} allows all types of entities; a property cannot be narrowed.`,
    );
  }
  const before = objectIn(body, 'typeQualifier') ?? {};
  return { typeQualifier: { ...before, ...widened('allowedTypes', before, types) } };
}

function allowedValuesWith(definition: PropertyDefinition, added: readonly AllowedValueInput[]): JsonObject {
  if (added.length === 0) return {};
  const { urn, body, valueType, allowedValues } = definition;
  if (allowedValues.length === 0) {
    throw new PostilError(
      'BAD_REQUEST',
      `${urn} allows every value of its type; a property cannot be narrowed.`,
    );
  }
  const more = allowedValuesOf(added, valueType, allowedValues);
  return { allowedValues: [...objectsIn(body, 'allowedValues'), ...more] };
}

function widened(member: string, body: JsonObject, added: readonly Urn[]): JsonObject {
  return added.length === 0 ? {} : { [member]: [...new Set([...listIn(body, member), ...added])] };
}
