import type { JsonValue } from '../aspect/json.ts';
import type { Privilege } from '../auth/privilege.ts';
import type { Command, DecisionView } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { isUrn, parseUrn, urnType, type Urn } from '../urn/urn.ts';
import { demandToChange, glossaryKindOf } from './glossary-entity.ts';
import { checkName } from '../entity/entity-name.ts';

export type UpdateNameInput = { readonly urn: string; readonly name: string };

/** Where entities of one type keep the name that people give them. */
type NameTarget = {
  readonly aspect: string;
  readonly member: string;
  /** As the refusal names the type; `undefined`: the aspect is made when it is not there. */
  readonly title: string | undefined;
  readonly privileges: readonly Privilege[];
  /** Whether the aspect says who changed it. */
  readonly isStamped: boolean;
  /** The member that names the parent below which no two bear one name; `undefined`: names may repeat. */
  readonly uniqueBelow: string | undefined;
};

const glossaryEntity: NameTarget = {
  aspect: 'glossaryTermInfo',
  member: 'name',
  title: 'Glossary Term',
  privileges: ['MANAGE_GLOSSARIES'],
  isStamped: false,
  uniqueBelow: undefined,
};
const edited: NameTarget = {
  ...glossaryEntity,
  title: undefined,
  privileges: ['EDIT_ENTITY', 'EDIT_ENTITY_DOCS'],
};

/** Contract section 7.12. */
const targets: ReadonlyMap<string, NameTarget> = new Map<string, NameTarget>([
  ['glossaryTerm', glossaryEntity],
  ['glossaryNode', { ...glossaryEntity, aspect: 'glossaryNodeInfo', title: 'Glossary Node' }],
  [
    'domain',
    {
      ...edited,
      aspect: 'domainProperties',
      title: 'Domain',
      privileges: ['EDIT_ENTITY', 'MANAGE_DOMAINS'],
      uniqueBelow: 'parentDomain',
    },
  ],
  ['dataset', { ...edited, aspect: 'editableDatasetProperties', isStamped: true }],
  ['tag', { ...edited, aspect: 'tagProperties' }],
  [
    'dataProduct',
    {
      ...edited,
      aspect: 'dataProductProperties',
      title: 'Data Product',
      privileges: ['EDIT_ENTITY', 'MANAGE_DATA_PRODUCTS'],
    },
  ],
  [
    'corpGroup',
    {
      ...edited,
      aspect: 'corpGroupInfo',
      member: 'displayName',
      title: 'Group',
      privileges: ['MANAGE_USERS_AND_GROUPS'],
    },
  ],
]);

/** Gives a term, a domain, a dataset or another entity its display name; whatever else the aspect says stays. */
export const updateName: Command<UpdateNameInput, true> = {
  name: 'updateName',
  demands(input) {
    const urn = parseUrn(input.urn);
    const { privileges: anyOf } = requireTarget(urn);
    return [glossaryKindOf(urn) === undefined ? { anyOf, on: urn } : demandToChange(urn)];
  },
  async decide(view, { urn: text, name }, { caller, now }) {
    const urn = parseUrn(text);
    const { aspect, member, title, isStamped, uniqueBelow } = requireTarget(urn);
    checkName(name);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to update ${urn}. ${urn} does not exist.`);
    }
    const body = (await view.read(urn, [aspect])).get(aspect)?.body;
    if (body === undefined && title !== undefined) {
      throw new PostilError('BAD_REQUEST', `Properties for this ${title} do not yet exist!`);
    }
    if (body?.[member] === name) return { writes: [], result: true };
    if (uniqueBelow !== undefined) await checkNotTaken(view, urn, body?.[uniqueBelow], name);
    const stamp = { time: now, actor: caller.actor };
    const stamps = isStamped ? { created: body?.['created'] ?? stamp, lastModified: stamp } : {};
    return { writes: [{ urn, aspect, body: { ...body, [member]: name, ...stamps } }], result: true };
  },
};

function requireTarget(urn: Urn): NameTarget {
  const target = targets.get(urnType(urn));
  if (target !== undefined) return target;
  throw new PostilError(
    'UNSUPPORTED_RESOURCE_TYPE',
    `Failed to update name. Unsupported resource type ${urn} provided.`,
  );
}

/** Names are compared in the same transaction, so two writers cannot both have one. */
async function checkNotTaken(
  view: DecisionView,
  urn: Urn,
  parent: JsonValue | undefined,
  name: string,
): Promise<void> {
  const bearers = await view.childrenNamed(urnType(urn), isUrn(parent) ? parent : undefined, name);
  if (bearers.every((bearer) => bearer === urn)) return;
  throw new PostilError(
    'NAME_CONFLICT',
    `"${name}" already exists in this ${urnType(urn)}. Please pick a unique name.`,
  );
}
