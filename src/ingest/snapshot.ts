import type { SystemMetadata } from '../aspect/aspect.ts';
import { isJsonObject } from '../aspect/json.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import {
  aspectOfClassName,
  keyBodyOf,
  plainClassName,
  requireAspect,
  requireEntityType,
} from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import { urnType } from '../urn/urn.ts';
import { bodyOf, clientUrn } from './proposal.ts';
import type { Proposal } from './proposal.ts';
import type { VerbatimNumbers } from './verbatim-numbers.ts';

/**
 * Reads a snapshot: an object with one member, the class of the snapshot, which holds the URN and a list of aspects under
 * their class names, with or without `pegasus2avro` (wire 3.3, 10). Each aspect becomes an UPSERT; the content of key
 * aspects is what the URN says, and without any aspect that is what remains. `numbered` is the same value from `numbers`.
 * Throws BAD_REQUEST, INVALID_URN, UNKNOWN_ENTITY_TYPE, UNKNOWN_ASPECT, INVALID_ASPECT.
 */
export function parseSnapshot(
  value: JsonValue | undefined,
  systemMetadata: SystemMetadata | undefined,
  numbers?: VerbatimNumbers,
  numbered?: JsonValue,
): readonly Proposal[] {
  const [snapshotClass, snapshot] = onlyMember(value) ?? [];
  if (snapshotClass === undefined || !isJsonObject(snapshot)) {
    throw refused(
      'A snapshot must be an object with one member, named like com.linkedin.metadata.snapshot.DatasetSnapshot',
    );
  }
  if (!snapshotClass.endsWith('Snapshot'))
    throw refused(`${plainClassName(snapshotClass)} is not a snapshot class`);
  const urn = clientUrn(snapshot['urn'], `The urn of the ${shortName(snapshotClass)}`);
  const type = requireEntityType(urnType(urn));
  const aspects = snapshot['aspects'];
  if (!Array.isArray(aspects)) throw refused(`The snapshot of ${urn} has no list of aspects`);
  if (aspects.length === 0) {
    // It says that the entity is there, and DataHub stores that.
    const key: Proposal = { urn, aspect: type.keyAspect, changeType: 'UPSERT', body: keyBodyOf(urn) };
    return [systemMetadata === undefined ? key : { ...key, systemMetadata }];
  }
  const numberedAspects = memberOf(onlyMember(numbered)?.[1], 'aspects');
  return aspects.map((element: JsonValue, index): Proposal => {
    const [aspectClass, content] = onlyMember(element) ?? [];
    if (aspectClass === undefined || content === undefined) {
      throw refused(
        `Aspect ${index + 1} in the snapshot of ${urn} must be an object with one member, its class`,
      );
    }
    const aspect = aspectOfClassName(aspectClass);
    if (aspect === undefined) {
      throw new PostilError(
        'UNKNOWN_ASPECT',
        `No aspect has the class ${aspectClass} (in the snapshot of ${urn})`,
      );
    }
    requireAspect(type.name, aspect);
    const numberedAspect = Array.isArray(numberedAspects)
      ? onlyMember(numberedAspects[index])?.[1]
      : undefined;
    return {
      urn,
      aspect,
      changeType: 'UPSERT',
      ...(aspect === type.keyAspect
        ? { body: keyBodyOf(urn) }
        : bodyOf(aspect, content, urn, numbers, numberedAspect)),
      ...(systemMetadata === undefined ? {} : { systemMetadata }),
    };
  });
}

function onlyMember(value: JsonValue | undefined): readonly [string, JsonValue] | undefined {
  if (!isJsonObject(value)) return undefined;
  const members = presentMembers(value);
  return members.length === 1 ? members[0] : undefined;
}

/** Some writers spell out all branches of a union, null where they are not chosen. */
function presentMembers(object: JsonObject): readonly (readonly [string, JsonValue])[] {
  return Object.entries(object).flatMap(([name, member]) =>
    member === undefined || member === null ? [] : [[name, member] as const],
  );
}

function memberOf(value: JsonValue | undefined, member: string): JsonValue | undefined {
  return isJsonObject(value) ? value[member] : undefined;
}

function shortName(className: string): string {
  return className.slice(className.lastIndexOf('.') + 1);
}

function refused(message: string): PostilError {
  return new PostilError('BAD_REQUEST', message);
}
