import type { AspectReader } from '../../aspect/aspect-store.ts';
import { isJsonObject, type JsonObject } from '../../aspect/json.ts';
import { objectIn, textIn } from '../../entity/stored-member.ts';
import type { Urn } from '../../urn/urn.ts';
import type { ActionLogEntry } from './action-log.ts';
import { type AssociationPatch, elementsNamed, isAsLeft } from './association-patch.ts';

/** A patch as it was written after it was announced, with the time of the writing; `undefined` when it was not. */
export function foundDone(
  body: JsonObject | undefined,
  patch: AssociationPatch,
  { test, run }: { readonly test: Urn; readonly run: string },
): AssociationPatch | undefined {
  if (patch.op !== 'add') return isAsLeft(body, patch) ? patch : undefined;
  const elements = elementsNamed(body, patch.list, patch.member, patch.value);
  const isOwn = elements.every((element) => {
    const attribution = isJsonObject(element) ? objectIn(element, 'attribution') : undefined;
    const isSaid = textIn(attribution, 'source') === test;
    // Associations that cannot say whose they are were announced, and are there.
    return (
      attribution === undefined || (isSaid && textIn(objectIn(attribution, 'sourceDetail'), 'runId') === run)
    );
  });
  return elements.length > 0 && isOwn ? { ...patch, elements } : undefined;
}

/** What was done for an entity for certain, and what was announced and is found done; the process may have died in between. */
export async function patchesDone(
  reader: Pick<AspectReader, 'read'>,
  run: { readonly test: Urn; readonly run: string },
  { status, patches, settled }: ActionLogEntry,
): Promise<readonly AssociationPatch[]> {
  if (status !== 'planned') return patches;
  const done = patches.slice(0, settled);
  for (const patch of patches.slice(settled)) {
    const stored = await reader.read(patch.urn, [patch.aspect]);
    const found = foundDone(stored.get(patch.aspect)?.body, patch, run);
    if (found !== undefined) done.push(found);
  }
  return done;
}
