import type { Change } from '../aspect/aspect-store.ts';
import { guardedAspects, guardedTypes } from '../auth/guarded-aspects.ts';
import type { Demand } from '../auth/caller.ts';
import type { Privilege } from '../auth/privilege.ts';
import type { AspectWrite } from '../aspect/aspect.ts';
import type { Command, DecisionView } from '../command/command.ts';
import { entityTypeOf } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import { checkAssignments } from '../structured-property/check-assignments.ts';
import { assetDemands } from '../structured-property/property-asset.ts';
import { type Urn, urnType } from '../urn/urn.ts';
import { checkEarlierValue, withoutDeleted } from './check-undone.ts';

const pageSize = 500;

/** The change that is to be undone. What it is about is said as well, because rights are asked for before the log is read. */
export type UndoInput = { readonly sequence: number; readonly urn: Urn; readonly aspect: string };

/** What was written again, and what was taken out. */
export type Undone = { readonly urn: Urn; readonly aspects: readonly string[] };

/**
 * Undoes one change by its number in the log: the aspect gets the value that it had before, as a change of its own, so an undo can
 * be undone. The deletion of an entity brings back all that went with it. Refused with PRECONDITION_FAILED when the aspect was changed
 * since, with BAD_REQUEST for the creation of an entity (delete it instead), with ENTITY_NOT_FOUND for a number that is not in the log,
 * and as the command that writes the aspect by hand is: see `checkEarlierValue` and `withoutDeleted`.
 */
export const undoChange: Command<UndoInput, Undone> = {
  name: 'undoChange',
  demands: ({ urn, aspect }) =>
    aspect === 'structuredProperties' ? assetDemands(urn) : [demandToWrite(urn, aspect)],
  async decide(view, input) {
    const change = await requireChange(view, input.sequence);
    if (change.urn !== input.urn || change.aspect !== input.aspect) {
      throw new PostilError(
        'BAD_REQUEST',
        `Change ${input.sequence} is about ${change.aspect} of ${change.urn}, not ${input.aspect} of ${input.urn}.`,
      );
    }
    const isKey = entityTypeOf(urnType(change.urn))?.keyAspect === change.aspect;
    const writes = isKey ? await restoredEntity(view, change) : [await earlierValue(view, change)];
    await checkAssignments(view, writes);
    return { writes, result: { urn: change.urn, aspects: writes.map(({ aspect }) => aspect) } };
  },
};

/** The row of the log by its number. Throws ENTITY_NOT_FOUND. */
export async function requireChange(view: Pick<DecisionView, 'changes'>, sequence: number): Promise<Change> {
  const [change] =
    Number.isSafeInteger(sequence) && sequence > 0
      ? await view.changes({ after: sequence - 1, count: 1 })
      : [];
  if (change === undefined) {
    throw new PostilError('ENTITY_NOT_FOUND', `There is no change ${sequence} in the log.`);
  }
  return change;
}

async function earlierValue(view: DecisionView, change: Change): Promise<AspectWrite> {
  const { urn, aspect } = change;
  await requireUnchangedSince(view, change);
  if (!(await view.existing([urn])).has(urn)) {
    throw new PostilError('ENTITY_NOT_FOUND', `${urn} does not exist; undo its deletion first.`);
  }
  const before =
    change.versionBefore === 0 ? undefined : await view.readVersion(urn, aspect, change.versionBefore);
  const write = { urn, aspect, body: before?.body };
  await checkEarlierValue(view, write);
  return write;
}

/** All that the command took away with the entity. */
async function restoredEntity(view: DecisionView, change: Change): Promise<readonly AspectWrite[]> {
  const { urn, sequence, commit } = change;
  if (!change.removed) {
    throw new PostilError(
      'BAD_REQUEST',
      `Change ${sequence} created ${urn}; delete the entity instead of undoing its creation.`,
    );
  }
  if ((await view.existing([urn])).has(urn)) {
    throw new PostilError(
      'PRECONDITION_FAILED',
      `${urn} exists again since change ${sequence}; there is nothing to undo.`,
    );
  }
  const writes: AspectWrite[] = [];
  for (const each of await changesTogether(view, urn, commit)) {
    if (!each.removed) continue;
    const body = (await view.readVersion(urn, each.aspect, each.versionBefore))?.body;
    if (body !== undefined) writes.push({ urn, aspect: each.aspect, body });
  }
  return withoutDeleted(view, writes);
}

/** What a command did to one entity, however much it did to others. */
async function changesTogether(view: DecisionView, urn: Urn, commit: number): Promise<readonly Change[]> {
  const newestFirst: Change[] = [];
  for (;;) {
    const before = newestFirst.at(-1)?.sequence;
    const page = await view.changesOf({ urn, ...(before === undefined ? {} : { before }), count: pageSize });
    newestFirst.push(...page);
    const last = page.at(-1);
    if (last === undefined || last.commit < commit) break;
  }
  return newestFirst.filter((change) => change.commit === commit).toReversed();
}

async function requireUnchangedSince(view: DecisionView, change: Change): Promise<void> {
  const { urn, aspect, sequence, removed, versionAfter } = change;
  const current = (await view.read(urn, [aspect])).get(aspect);
  // A removal is counted as a version of its own: nothing came after it when the version after the next is not there.
  const isAsLeft = removed
    ? current === undefined && (await view.readVersion(urn, aspect, versionAfter + 1)) === undefined
    : current?.version === versionAfter;
  if (isAsLeft) return;
  throw new PostilError(
    'PRECONDITION_FAILED',
    `The aspect ${aspect} of ${urn} was changed after change ${sequence}; undo the later changes first.`,
  );
}

/** What does instead of EDIT_ENTITY, as it does in the commands that change the aspect. */
const specific: Readonly<Record<string, readonly Privilege[]>> = {
  glossaryTerms: ['EDIT_ENTITY_GLOSSARY_TERMS'],
  globalTags: ['EDIT_ENTITY_TAGS'],
  institutionalMemory: ['EDIT_ENTITY_DOC_LINKS'],
  ownership: ['EDIT_ENTITY_OWNERS'],
  domains: ['EDIT_DOMAINS_PRIVILEGE'],
  deprecation: ['EDIT_DEPRECATION_PRIVILEGE'],
  status: ['EDIT_ENTITY_STATUS'],
  editableDatasetProperties: ['EDIT_ENTITY_DOCS'],
  editableContainerProperties: ['EDIT_ENTITY_DOCS'],
  glossaryTermInfo: ['MANAGE_GLOSSARIES'],
  glossaryNodeInfo: ['MANAGE_GLOSSARIES'],
  glossaryRelatedTerms: ['MANAGE_GLOSSARIES'],
  propertyDefinition: ['MANAGE_STRUCTURED_PROPERTIES'],
  structuredPropertySettings: ['MANAGE_STRUCTURED_PROPERTIES'],
  ownershipTypeInfo: ['MANAGE_GLOBAL_OWNERSHIP_TYPES'],
  corpUserEditableInfo: ['EDIT_USER_PROFILE', 'MANAGE_USERS_AND_GROUPS'],
  corpGroupEditableInfo: ['MANAGE_USERS_AND_GROUPS'],
};

/** What writing this aspect takes by any other way: what guards rights takes the right to manage them. */
function demandToWrite(urn: Urn, aspect: string): Demand {
  const type = urnType(urn);
  if (type === 'dataHubAccessToken') {
    throw new PostilError('FORBIDDEN', 'A token that was revoked stays revoked; make another one.');
  }
  // Whoever may delete users and groups may bring them back, with what they had.
  if ((type === 'corpuser' || type === 'corpGroup') && entityTypeOf(type)?.keyAspect === aspect) {
    return { anyOf: ['MANAGE_USERS_AND_GROUPS', 'MANAGE_POLICIES'], on: urn };
  }
  if (guardedAspects.has(aspect) || guardedTypes.has(type)) {
    return { anyOf: ['MANAGE_POLICIES'], on: urn };
  }
  if (type === 'test') return { anyOf: ['MANAGE_TESTS'], on: urn };
  return { anyOf: ['EDIT_ENTITY', ...(specific[aspect] ?? [])], on: urn };
}
