import type { Privilege } from '../auth/privilege.ts';
import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';
import { demandToChange, glossaryKindOf } from './glossary-entity.ts';
import { checkName } from '../entity/entity-name.ts';

export type UpdateNameInput = { readonly urn: string; readonly name: string };

/** Where entities of one type keep the name that people give them. */
type NameTarget = {
  readonly aspect: string;
  /** As the refusal names the type; `undefined`: the aspect is made when it is not there. */
  readonly title: string | undefined;
  readonly privileges: readonly Privilege[];
};

/** Contract section 7.12. */
const targets: ReadonlyMap<string, NameTarget> = new Map<string, NameTarget>([
  ['glossaryTerm', { aspect: 'glossaryTermInfo', title: 'Glossary Term', privileges: ['MANAGE_GLOSSARIES'] }],
  ['glossaryNode', { aspect: 'glossaryNodeInfo', title: 'Glossary Node', privileges: ['MANAGE_GLOSSARIES'] }],
  ['domain', { aspect: 'domainProperties', title: 'Domain', privileges: ['EDIT_ENTITY'] }],
  [
    'dataset',
    {
      aspect: 'editableDatasetProperties',
      title: undefined,
      privileges: ['EDIT_ENTITY', 'EDIT_ENTITY_DOCS'],
    },
  ],
]);

/** Gives a term, a node, a domain or a dataset another display name; whatever else the aspect says stays. */
export const updateName: Command<UpdateNameInput, true> = {
  name: 'updateName',
  demands(input) {
    const urn = parseUrn(input.urn);
    const { privileges: anyOf } = requireTarget(urn);
    return [glossaryKindOf(urn) === undefined ? { anyOf, on: urn } : demandToChange(urn)];
  },
  async decide(view, { urn: text, name }, { caller, now }) {
    const urn = parseUrn(text);
    const { aspect, title } = requireTarget(urn);
    checkName(name);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to update ${urn}. ${urn} does not exist.`);
    }
    const body = (await view.read(urn, [aspect])).get(aspect)?.body;
    if (body === undefined && title !== undefined) {
      throw new PostilError('BAD_REQUEST', `Properties for this ${title} do not yet exist!`);
    }
    if (body?.['name'] === name) return { writes: [], result: true };
    const stamp = { time: now, actor: caller.actor };
    const stamps = title === undefined ? { created: body?.['created'] ?? stamp, lastModified: stamp } : {};
    return { writes: [{ urn, aspect, body: { ...body, name, ...stamps } }], result: true };
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
