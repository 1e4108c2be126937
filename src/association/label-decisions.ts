import { draftAspects } from '../command/aspect-draft.ts';
import type { Decision, DecisionContext, DecisionView } from '../command/command.ts';
import type { Demand } from '../auth/caller.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';
import { aspectsRead, changeLabels, checkLabel } from './change-labels.ts';
import { adding, removing } from './label-change.ts';
import { demandOf, type LabelKind } from './label-kind.ts';
import { resourcesOf, type ResourceRef } from './resource.ts';

/** Labels, by their URNs, and what they are attached to or detached from. */
type Labelling = {
  readonly labels: readonly string[];
  readonly resources: readonly (ResourceRef | null)[];
};

/** What every change of labels demands. Throws INVALID_URN, and BAD_REQUEST for a null among the resources. */
export function labellingDemands(kind: LabelKind, { labels, resources }: Labelling): readonly Demand[] {
  const about = labels.map(parseUrn);
  return resourcesOf(resources).map((resource) => ({ ...demandOf(kind, resource), about }));
}

/**
 * Attaches labels to one resource; what is attached already stays as it is (contract section 7.3). It is checked in the
 * order of DataHub: the first label, the resource, the other labels.
 */
export async function attach(
  kind: LabelKind,
  view: DecisionView,
  input: Labelling,
  context: DecisionContext,
): Promise<Decision<true>> {
  const [first, ...others] = input.labels.map(parseUrn);
  return attachChecked(kind, view, input, context, {
    before: first === undefined ? [] : [first],
    after: others,
  });
}

/** Attaches labels to several resources, all or nothing, every change kept; labels are checked first (section 7.5). */
export async function attachToAll(
  kind: LabelKind,
  view: DecisionView,
  input: Labelling,
  context: DecisionContext,
): Promise<Decision<true>> {
  return attachChecked(kind, view, input, context, { before: input.labels.map(parseUrn), after: [] });
}

/**
 * Detaches labels from resources, all or nothing. Labels are not looked up: what is not attached, or is no label at all, is
 * nothing to detach (contract section 7.7).
 */
export async function detachFromAll(
  kind: LabelKind,
  view: DecisionView,
  input: Labelling,
  { caller, now }: DecisionContext,
): Promise<Decision<true>> {
  const resources = resourcesOf(input.resources);
  const urns = resources.map(({ urn }) => urn);
  const existing = await view.existing([...new Set(urns)]);
  const draft = await draftAspects(view, urns, aspectsRead(kind, resources));
  const change = removing(kind, new Set(input.labels.map(parseUrn)), { time: now, actor: caller.actor });
  for (const resource of resources) changeLabels(kind, draft, resource, existing, change, true);
  return { writes: draft.writes(), result: true };
}

/**
 * Detaches one label from a resource. The label need not exist, so what was deleted long ago can be detached; `false`,
 * without an error, for the URN of anything else (contract section 7.6).
 */
export async function detach(
  kind: LabelKind,
  view: DecisionView,
  input: { readonly label: string; readonly resource: ResourceRef },
  context: DecisionContext,
): Promise<Decision<boolean>> {
  const labelling = { labels: [input.label], resources: [input.resource] };
  const decision = await detachFromAll(kind, view, labelling, context);
  return urnType(parseUrn(input.label)) === kind.entityType ? decision : { writes: [], result: false };
}

async function attachChecked(
  kind: LabelKind,
  view: DecisionView,
  input: Labelling,
  { caller, now }: DecisionContext,
  checks: { readonly before: readonly Urn[]; readonly after: readonly Urn[] },
): Promise<Decision<true>> {
  const labels = input.labels.map(parseUrn);
  const resources = resourcesOf(input.resources);
  const urns = resources.map(({ urn }) => urn);
  const existing = await view.existing([...new Set([...labels, ...urns])]);
  const draft = await draftAspects(view, urns, aspectsRead(kind, resources));
  for (const label of checks.before) checkLabel(kind, label, existing);
  const change = adding(kind, labels, { time: now, actor: caller.actor });
  for (const resource of resources) changeLabels(kind, draft, resource, existing, change);
  for (const label of checks.after) checkLabel(kind, label, existing);
  return { writes: draft.writes(), result: true };
}
