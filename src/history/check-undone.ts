import type { AspectWrite } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { DecisionView } from '../command/command.ts';
import { domains } from '../domain/domain-entity.ts';
import { checkNotBelow, type Hierarchy } from '../entity/hierarchy.ts';
import { PostilError } from '../errors/postil-error.ts';
import { nodes } from '../glossary/glossary-entity.ts';
import { deletedAmong } from '../relationship/deletion.ts';
import { edgesOf, removeReferences } from '../relationship/edges.ts';
import { placementOf } from '../relationship/placement.ts';
import { definitionOf, requireNotNarrower } from '../structured-property/property-definition.ts';
import { isUrn, urnType, type Urn } from '../urn/urn.ts';

const containers: Hierarchy = { aspect: 'container', member: 'container', title: 'container' };

/** Where an aspect names the parent, and the tree that the parent stands in. */
const trees: ReadonlyMap<string, { readonly member: string; readonly tree: Hierarchy }> = new Map([
  ['glossaryTermInfo', { member: 'parentNode', tree: nodes }],
  ['glossaryNodeInfo', { member: 'parentNode', tree: nodes }],
  ['domainProperties', { member: 'parentDomain', tree: domains }],
  ['container', { member: 'container', tree: containers }],
]);

/**
 * Refuses an earlier value that fits no more: what it attaches was deleted since, it would come to lie below itself, another
 * domain has its name by now, or a definition would take less than values may need. What was never stored may be named, as ingestion may name it (wire 5.3).
 * Throws PRECONDITION_FAILED, HIERARCHY_CYCLE, NAME_CONFLICT, BAD_REQUEST.
 */
export async function checkEarlierValue(view: DecisionView, write: AspectWrite): Promise<void> {
  const { urn, aspect, body } = write;
  const current = (await view.read(urn, [aspect])).get(aspect)?.body;
  if (aspect === 'propertyDefinition' && current !== undefined) {
    requireNotNarrower(definitionOf(urn, current), body);
  }
  if (body === undefined) return;
  const kept = new Set(current === undefined ? [] : edgesOf(aspect, current).map((edge) => edge.destination));
  const [gone] = await deletedAmong(
    view,
    referencesOf(aspect, body).filter((each) => !kept.has(each)),
  );
  if (gone !== undefined) {
    throw new PostilError(
      'PRECONDITION_FAILED',
      `The earlier ${aspect} of ${urn} refers to ${gone}, which was deleted; undo its deletion first.`,
    );
  }
  await checkTree(view, write);
  if (urnType(urn) === 'domain') await checkName(view, write, current);
}

/**
 * The aspects of an entity that comes back, without references to what was deleted while it was away: as if that had been
 * deleted afterwards. Throws HIERARCHY_CYCLE, and NAME_CONFLICT where another term or domain has its name by now.
 */
export async function withoutDeleted(
  view: DecisionView,
  writes: readonly AspectWrite[],
): Promise<readonly AspectWrite[]> {
  const references = writes.flatMap(({ urn, aspect, body }) =>
    body === undefined ? [] : referencesOf(aspect, body).filter((each) => each !== urn),
  );
  const gone = await deletedAmong(view, references);
  const rest = writes.map((write) => {
    const { aspect, body } = write;
    if (body === undefined) return write;
    return { ...write, body: gone.reduce((each, urn) => removeReferences(aspect, each, urn), body) };
  });
  for (const write of rest) {
    await checkTree(view, write);
    if (write.aspect === 'domainProperties' || write.aspect === 'glossaryTermInfo') {
      await checkName(view, write, undefined);
    }
  }
  return rest;
}

function referencesOf(aspect: string, body: JsonObject): readonly Urn[] {
  return [...new Set(edgesOf(aspect, body).map(({ destination }) => destination))];
}

async function checkTree(view: DecisionView, { urn, aspect, body }: AspectWrite): Promise<void> {
  const place = trees.get(aspect);
  const parent = place === undefined ? undefined : body?.[place.member];
  if (place !== undefined && isUrn(parent)) await checkNotBelow(view, place.tree, parent, urn);
}

/** As the commands that create, rename and move these refuse a name that another one below the same parent bears. */
async function checkName(
  view: DecisionView,
  { urn, aspect, body }: AspectWrite,
  current: JsonObject | undefined,
): Promise<void> {
  const place = placementOf(urn, { [aspect]: body });
  const now = current === undefined ? undefined : placementOf(urn, { [aspect]: current });
  if (place === undefined || (place.name === now?.name && place.parent === now.parent)) return;
  const bearers = await view.childrenNamed(urnType(urn), place.parent, place.name);
  const other = bearers.find((bearer) => bearer !== urn);
  if (other === undefined) return;
  throw new PostilError(
    'NAME_CONFLICT',
    `${other} is called ${JSON.stringify(place.name)} by now, as ${urn} was; give one of them another name first.`,
  );
}
