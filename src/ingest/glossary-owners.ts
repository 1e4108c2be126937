import type { JsonObject } from '../aspect/json.ts';
import { ownershipKinds } from '../entity/ownership-kinds.ts';
import { isUrn } from '../urn/urn.ts';
import { YamlMapReader } from './yaml-node.ts';
import type { YamlDocument } from './yaml-node.ts';

const ownerMembers = ['type', 'typeUrn', 'users', 'groups'];

const ownershipTypes: ReadonlySet<string> = new Set(ownershipKinds);

/**
 * The `owners` of a glossary, node or term, one group or a list of them, as an `ownership` aspect; `undefined` when it
 * names none. Throws BAD_REQUEST for a type that is neither known nor the URN of one.
 */
export function readOwnership(document: YamlDocument, reader: YamlMapReader): JsonObject | undefined {
  const groups = reader.oneOrMore('owners');
  if (groups === undefined) return undefined;
  return {
    owners: groups.flatMap((node) => ownersOf(new YamlMapReader(document, node, 'the owners', ownerMembers))),
    ownerTypes: {},
    lastModified: { time: 0, actor: 'urn:li:corpuser:unknown' },
  };
}

function ownersOf(reader: YamlMapReader): readonly JsonObject[] {
  const given = reader.text('type') ?? 'DEVELOPER';
  const isCustom = given.startsWith('urn:li:ownershipType:');
  const type = isCustom ? 'CUSTOM' : given.toUpperCase();
  if (!ownershipTypes.has(type)) {
    throw reader.mistake(
      `unknown type of owners ${JSON.stringify(given)}: one of ${[...ownershipTypes].join(', ')}`,
    );
  }
  const typeUrn = reader.text('typeUrn') ?? (isCustom ? given : undefined);
  const owner =
    (kind: string) =>
    (name: string): JsonObject => ({
      owner: isUrn(name) ? name : `urn:li:${kind}:${name}`,
      type,
      ...(typeUrn === undefined ? {} : { typeUrn }),
    });
  return [
    ...(reader.texts('users') ?? []).map(owner('corpuser')),
    ...(reader.texts('groups') ?? []).map(owner('corpGroup')),
  ];
}
