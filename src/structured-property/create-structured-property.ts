import type { AspectWrite } from '../aspect/aspect.ts';
import type { Demand } from '../auth/caller.ts';
import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { urnFromKey } from '../entity/entity-registry.ts';
import { allowedValuesOf, type AllowedValueInput } from './allowed-values.ts';
import { requireBearerType, requireEntityTypeUrn, requireValueType } from './property-definition.ts';
import { settingsWith, type PropertySettingsInput } from './property-settings.ts';
import { urnOfValueType } from './value-type.ts';

export type CreateStructuredPropertyInput = {
  /** Becomes the key of the URN; absent: the qualified name, or a random one. */
  readonly id?: string | null;
  readonly qualifiedName?: string | null;
  readonly displayName: string;
  readonly description?: string | null;
  readonly immutable?: boolean | null;
  readonly valueType: string;
  readonly typeQualifier?: { readonly allowedTypes?: readonly string[] | null } | null;
  readonly allowedValues?: readonly AllowedValueInput[] | null;
  readonly cardinality?: 'SINGLE' | 'MULTIPLE' | null;
  readonly entityTypes: readonly string[];
  readonly settings?: PropertySettingsInput | null;
};

/** What defining structured properties demands (contract section 12). */
export const manageStructuredProperties: readonly Demand[] = [{ anyOf: ['MANAGE_STRUCTURED_PROPERTIES'] }];

/** Defines a structured property; never overwrites one. Answers its URN (wire 6.3, 8.3). */
export const createStructuredProperty: Command<CreateStructuredPropertyInput, Urn> = {
  name: 'createStructuredProperty',
  demands: () => manageStructuredProperties,
  async decide(view, input, { caller, now, newId }) {
    const id = idOf(input) ?? newId();
    const urn = urnFromKey('structuredProperty', { id });
    const valueType = requireValueType(input.valueType);
    const entityTypes = [...new Set(input.entityTypes.map(requireBearerType))];
    if (entityTypes.length === 0) {
      throw new PostilError('BAD_REQUEST', `entityTypes is empty; say which entities may have ${id}.`);
    }
    const allowedTypes = (input.typeQualifier?.allowedTypes ?? []).map(requireEntityTypeUrn);
    if (allowedTypes.length > 0 && valueType.id !== 'urn') {
      throw new PostilError(
        'BAD_REQUEST',
        `typeQualifier is for urns; the values of ${id} are of type ${valueType.id}.`,
      );
    }
    const allowedValues = allowedValuesOf(input.allowedValues ?? [], valueType, []);
    const stamp = { time: now, actor: caller.actor };
    if ((await view.existing([urn])).has(urn)) {
      throw new PostilError('ALREADY_EXISTS', `A structured property already exists with this urn: ${urn}`);
    }
    const definition: AspectWrite = {
      urn,
      aspect: 'propertyDefinition',
      body: {
        qualifiedName: id,
        displayName: input.displayName,
        ...(isNothing(input.description) ? {} : { description: input.description }),
        valueType: urnOfValueType(valueType),
        ...(allowedTypes.length === 0 ? {} : { typeQualifier: { allowedTypes } }),
        ...(allowedValues.length === 0 ? {} : { allowedValues }),
        cardinality: input.cardinality ?? 'SINGLE',
        entityTypes,
        immutable: input.immutable ?? false,
        created: stamp,
        lastModified: stamp,
      },
    };
    const { settings } = input;
    return {
      writes: isNothing(settings)
        ? [definition]
        : [
            definition,
            { urn, aspect: 'structuredPropertySettings', body: settingsWith(undefined, settings, stamp) },
          ],
      result: urn,
    };
  },
};

/** Throws BAD_REQUEST for two names that differ, and for one that paths and filters could not hold. */
function idOf({ id, qualifiedName }: CreateStructuredPropertyInput): string | undefined {
  const given = [qualifiedName, id].filter((name) => !isNothing(name) && name !== '');
  const [name, other] = given;
  if (isNothing(name)) return undefined;
  if (other !== undefined && other !== name) {
    throw new PostilError(
      'BAD_REQUEST',
      `id (${id}) and qualifiedName (${qualifiedName}) have to be the same; give one.`,
    );
  }
  if (/\s/u.test(name)) {
    throw new PostilError(
      'BAD_REQUEST',
      `The qualified name ${JSON.stringify(name)} must not contain spaces.`,
    );
  }
  parseUrn(`urn:li:structuredProperty:${name}`);
  return name;
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
