import type { JsonObject } from '../aspect/json.ts';
import { withOwners } from '../association/owner.ts';
import { draftAspects, type AspectDraft } from '../command/aspect-draft.ts';
import type { Decision, DecisionContext, DecisionView } from '../command/command.ts';
import { requireColumn, withColumnRecord } from '../entity/column.ts';
import { objectIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { urnType, type Urn } from '../urn/urn.ts';
import { tagUrns, withDeprecation, withLinks, withTags } from './update-dataset-attachments.ts';
import {
  aspectsNeeded,
  requireDatasetUrn,
  type ColumnUpdate,
  type DatasetUpdate,
  type DatasetUpdateInput,
  type PropertiesUpdate,
} from './update-dataset-input.ts';

/**
 * Changes what is sent of datasets, in their order, and nothing else (contract section 7.8, decisions 9, 14 and 15); all or
 * nothing. Answers their URNs in that order. Throws ENTITY_NOT_FOUND, COLUMN_NOT_FOUND, AMBIGUOUS_COLUMN, BAD_REQUEST.
 */
export async function decideUpdates(
  view: DecisionView,
  updates: readonly DatasetUpdate[],
  context: DecisionContext,
): Promise<Decision<readonly Urn[]>> {
  const urns = updates.map(({ urn }) => requireDatasetUrn(urn));
  const tags = new Set(updates.flatMap(({ update }) => tagsNamed(update)));
  const existing = await view.existing([...new Set([...urns, ...tags])]);
  for (const urn of urns) {
    if (!existing.has(urn)) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to update ${urn}. ${urn} does not exist.`);
    }
  }
  for (const tag of tags) checkTag(tag, existing);
  const draft = await draftAspects(view, urns, aspectsNeeded(updates));
  for (const [index, { update }] of updates.entries()) {
    const urn = urns[index];
    if (urn !== undefined) changeDataset(draft, urn, update, context);
  }
  return { writes: draft.writes(), result: urns };
}

function changeDataset(
  draft: AspectDraft,
  urn: Urn,
  update: DatasetUpdateInput,
  { caller, now }: DecisionContext,
): void {
  const stamp = { time: now, actor: caller.actor };
  const change = (aspect: string, changed: (body: JsonObject | undefined) => JsonObject | undefined): void =>
    draft.put(urn, aspect, changed(draft.body(urn, aspect)));
  const { ownership, deprecation, institutionalMemory, editableSchemaMetadata, editableProperties } = update;
  const tags = tagUrns(update.tags ?? update.globalTags);
  if (isSent(ownership)) change('ownership', (body) => withOwners(urn, body, ownership.owners, stamp));
  if (isSent(deprecation)) change('deprecation', (body) => withDeprecation(body, deprecation, caller.actor));
  if (isSent(institutionalMemory)) {
    change('institutionalMemory', (body) => withLinks(urn, body, institutionalMemory.elements, now));
  }
  if (tags !== undefined) change('globalTags', (body) => withTags(body, tags));
  if (isSent(editableSchemaMetadata)) {
    for (const column of editableSchemaMetadata.editableSchemaFieldInfo) changeColumn(draft, urn, column);
  }
  if (isSent(editableProperties)) {
    change('editableDatasetProperties', (body) => withProperties(body, editableProperties, stamp));
  }
}

function changeColumn(draft: AspectDraft, urn: Urn, update: ColumnUpdate): void {
  const path = requireColumn(urn, draft.stored(urn, 'schemaMetadata'), update.fieldPath);
  const tags = tagUrns(update.globalTags);
  const change = (record: JsonObject): JsonObject => ({
    ...record,
    ...(isSent(update.description) ? { description: filled(update.description) } : {}),
    ...(tags === undefined ? {} : { globalTags: withTags(objectIn(record, 'globalTags'), tags) }),
  });
  const schema = draft.body(urn, 'schemaMetadata') ?? {};
  const editable = draft.body(urn, 'editableSchemaMetadata');
  draft.put(urn, 'editableSchemaMetadata', withColumnRecord(editable, schema, path, change));
}

/** An empty text takes the edit away (decision 16); a name that is not sent is kept. */
function withProperties(
  body: JsonObject | undefined,
  update: PropertiesUpdate,
  stamp: { readonly time: number; readonly actor: Urn },
): JsonObject | undefined {
  const description = filled(update.description);
  const name = isSent(update.name) ? filled(update.name) : body?.['name'];
  if (body?.['description'] === description && body?.['name'] === name) return body;
  return { ...body, description, name, created: body?.['created'] ?? stamp, lastModified: stamp };
}

function tagsNamed(update: DatasetUpdateInput): readonly Urn[] {
  const columns = update.editableSchemaMetadata?.editableSchemaFieldInfo ?? [];
  return [update.tags ?? update.globalTags, ...columns.map(({ globalTags }) => globalTags)].flatMap(
    (tags) => tagUrns(tags) ?? [],
  );
}

/** As for terms (contract section 7.3, a and b): a tag that nobody made would look broken wherever it is shown. */
function checkTag(tag: Urn, existing: ReadonlySet<Urn>): void {
  const start = `Failed to validate label with urn ${tag}.`;
  if (urnType(tag) !== 'tag') {
    throw new PostilError('BAD_REQUEST', `${start} Urn type does not match entity type tag..`);
  }
  if (!existing.has(tag)) throw new PostilError('ENTITY_NOT_FOUND', `${start} Urn does not exist.`);
}

function filled(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function isSent<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined;
}
