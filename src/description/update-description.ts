import type { JsonObject } from '../aspect/json.ts';
import type { AuditStamp } from '../aspect/aspect.ts';
import { asChild } from '../auth/glossary-alternatives.ts';
import type { Privilege } from '../auth/privilege.ts';
import { draftAspects, type AspectDraft } from '../command/aspect-draft.ts';
import type { Command } from '../command/command.ts';
import { requireColumn, withColumnRecord } from '../entity/column.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnKey, urnType, type Urn } from '../urn/urn.ts';

export type UpdateDescriptionInput = {
  /** Empty: the description that was set is taken away again, where one is not required (decision 16). */
  readonly description: string;
  readonly resourceUrn: string;
  readonly subResourceType?: 'DATASET_FIELD' | null;
  readonly subResource?: string | null;
};

/** Where entities of one type keep the description that people write. */
type DescriptionTarget = {
  readonly aspect: string;
  readonly member: string;
  readonly isRequired: boolean;
  /** What the aspect holds besides the description when it has to be made; `undefined`: it is not made. */
  made(urn: Urn): JsonObject | undefined;
  /** As the contract's refusal names the type, where the aspect is not made. */
  readonly title: string;
  readonly privileges: readonly Privilege[];
  readonly isStamped: boolean;
};

const notMade = (): undefined => undefined;
const optional: DescriptionTarget = {
  aspect: '',
  member: 'description',
  isRequired: false,
  made: () => ({}),
  title: '',
  privileges: ['EDIT_ENTITY', 'EDIT_ENTITY_DOCS'],
  isStamped: false,
};
const definition: DescriptionTarget = {
  ...optional,
  member: 'definition',
  isRequired: true,
  made: notMade,
  privileges: ['EDIT_ENTITY', 'EDIT_ENTITY_DOCS', 'MANAGE_GLOSSARIES'],
};

/** Where what people write has an aspect of its own that says when it was changed, and where one that does not. */
const stampedAspects = {
  dataset: 'editableDatasetProperties',
  notebook: 'editableNotebookProperties',
};
const plainAspects = {
  container: 'editableContainerProperties',
  corpGroup: 'corpGroupEditableInfo',
  mlModel: 'editableMlModelProperties',
  mlModelGroup: 'editableMlModelGroupProperties',
  mlFeatureTable: 'editableMlFeatureTableProperties',
  mlFeature: 'editableMlFeatureProperties',
  mlPrimaryKey: 'editableMlPrimaryKeyProperties',
};

/** Contract section 7.9; a type that is not listed has no description that can be written. */
const targets: ReadonlyMap<string, DescriptionTarget> = new Map([
  ['glossaryTerm', { ...definition, aspect: 'glossaryTermInfo', title: 'Glossary Term' }],
  ['glossaryNode', { ...definition, aspect: 'glossaryNodeInfo', title: 'Glossary Node' }],
  ['tag', { ...optional, aspect: 'tagProperties', made: (urn): JsonObject => ({ name: urnKey(urn) }) }],
  ['domain', { ...optional, aspect: 'domainProperties', made: notMade, title: 'Domain' }],
  ['dataProduct', { ...optional, aspect: 'dataProductProperties', made: notMade, title: 'Data Product' }],
  ['application', { ...optional, aspect: 'applicationProperties', made: notMade, title: 'Application' }],
  [
    'businessAttribute',
    { ...optional, aspect: 'businessAttributeInfo', made: notMade, title: 'Business Attribute' },
  ],
  ...Object.entries(stampedAspects).map(([type, aspect]): [string, DescriptionTarget] => [
    type,
    { ...optional, aspect, isStamped: true },
  ]),
  ...Object.entries(plainAspects).map(([type, aspect]): [string, DescriptionTarget] => [
    type,
    { ...optional, aspect },
  ]),
]);

/**
 * Writes the description of a column, a dataset or another entity that has one. What ingestion said is kept apart and
 * never changed (contract section 7.9).
 */
export const updateDescription: Command<UpdateDescriptionInput, true> = {
  name: 'updateDescription',
  demands(input) {
    const urn = parseUrn(input.resourceUrn);
    const { privileges } = requireTarget(urn);
    const isColumn = isColumnMeant(urn, input);
    if (isColumn) return [{ anyOf: ['EDIT_ENTITY', 'EDIT_DATASET_COL_DESCRIPTION'], on: urn }];
    const isOfGlossary = privileges.includes('MANAGE_GLOSSARIES');
    return [{ anyOf: privileges, on: urn, ...(isOfGlossary ? { or: asChild(urn) } : {}) }];
  },
  async decide(view, input, { caller, now }) {
    const urn = parseUrn(input.resourceUrn);
    const target = requireTarget(urn);
    const isColumn = isColumnMeant(urn, input);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to update ${urn}. ${urn} does not exist.`);
    }
    const aspects = isColumn ? ['schemaMetadata', 'editableSchemaMetadata'] : [target.aspect];
    const draft = await draftAspects(view, [urn], aspects);
    if (isColumn) describeColumn(draft, urn, input.subResource, input.description);
    else describeEntity(draft, urn, target, input.description, { time: now, actor: caller.actor });
    return { writes: draft.writes(), result: true };
  },
};

function requireTarget(urn: Urn): DescriptionTarget {
  const target = targets.get(urnType(urn));
  if (target !== undefined) return target;
  throw new PostilError(
    'UNSUPPORTED_RESOURCE_TYPE',
    `Failed to update description. Unsupported resource type ${urn} provided.`,
  );
}

/** Throws BAD_REQUEST for a column without the type that says so: writing to the dataset instead would surprise. */
function isColumnMeant(urn: Urn, { subResourceType, subResource }: UpdateDescriptionInput): boolean {
  if (subResourceType !== null && subResourceType !== undefined) return true;
  if (subResource === null || subResource === undefined || subResource === '') return false;
  throw new PostilError(
    'BAD_REQUEST',
    `Failed to updates resource with urn ${urn}. SubResource (${subResource}) provided without a subResourceType.`,
  );
}

function describeColumn(
  draft: AspectDraft,
  urn: Urn,
  asked: string | null | undefined,
  description: string,
): void {
  const path = requireColumn(urn, draft.stored(urn, 'schemaMetadata'), asked);
  const changed = withColumnRecord(
    draft.body(urn, 'editableSchemaMetadata'),
    draft.body(urn, 'schemaMetadata') ?? {},
    path,
    (record) => ({ ...record, description: description === '' ? undefined : description }),
  );
  draft.put(urn, 'editableSchemaMetadata', changed);
}

function describeEntity(
  draft: AspectDraft,
  urn: Urn,
  target: DescriptionTarget,
  description: string,
  stamp: AuditStamp,
): void {
  const { aspect, member } = target;
  const current = draft.body(urn, aspect);
  const body = current ?? target.made(urn);
  if (body === undefined) {
    throw new PostilError('BAD_REQUEST', `Properties for this ${target.title} do not yet exist!`);
  }
  const next = description === '' && !target.isRequired ? undefined : description;
  if (body[member] === next) return;
  const stamps = target.isStamped ? { created: body['created'] ?? stamp, lastModified: stamp } : {};
  draft.put(urn, aspect, { ...body, [member]: next, ...stamps });
}
