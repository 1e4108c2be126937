import type { AspectReader } from '../../aspect/aspect-store.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../../aspect/json.ts';
import { textIn } from '../../entity/stored-member.ts';
import { testActor } from './action-caller.ts';
import { type ActionMark } from './action-log.ts';
import { type AssociationPatch, elementsNamed, identityOf } from './association-patch.ts';

/** Versions that are looked through for whoever took something back. */
const versionsMax = 20;
/** What DataHub's clients send outside of an ingestion run. */
const noRun = 'no-run-id-provided';

/**
 * Identities of what a test did to an entity and people took back, or somebody undid (A5). What ingestion overwrote without
 * meaning to is not among them.
 */
export async function revertedByPeople(
  reader: Pick<AspectReader, 'read' | 'readVersion'>,
  mark: ActionMark,
): Promise<readonly string[]> {
  if (mark.isUndone) return mark.patches.map(identityOf);
  const reverted: string[] = [];
  for (const patch of mark.patches) {
    if (isReplaced(patch, mark)) continue;
    if (await isRevertedByPeople(reader, patch)) reverted.push(identityOf(patch));
  }
  return reverted;
}

async function isRevertedByPeople(
  reader: Pick<AspectReader, 'read' | 'readVersion'>,
  patch: AssociationPatch,
): Promise<boolean> {
  let newer = (await reader.read(patch.urn, [patch.aspect])).get(patch.aspect);
  if (newer === undefined) return false;
  if (isThere(newer.body, patch)) return false;
  for (
    let version = newer.version - 1, left = versionsMax;
    version > 0 && left > 0;
    version -= 1, left -= 1
  ) {
    const older = await reader.readVersion(patch.urn, patch.aspect, version);
    if (older !== undefined && isThere(older.body, patch)) {
      const run = textIn(newer.systemMetadata, 'runId');
      return newer.stamp.actor !== testActor && (run === null || run === noRun);
    }
    newer = older ?? newer;
  }
  return true;
}

/** What was taken away to be put there anew is judged by what was put there. */
function isReplaced(patch: AssociationPatch, { patches }: ActionMark): boolean {
  if (patch.op !== 'remove') return false;
  const { urn, list, value } = patch;
  return patches.some(
    (each) => each.op === 'add' && each.urn === urn && each.list === list && each.value === value,
  );
}

/** Whether the association is as the patch wanted it, whoever wrote it in the meantime. */
function isThere(body: JsonObject | undefined, patch: AssociationPatch): boolean {
  if (patch.op === 'set') return body?.['deprecated'] === patch.after['deprecated'];
  const found = elementsNamed(body, patch.list, patch.member, patch.value);
  if (patch.op === 'remove') return found.length === 0;
  // Of a structured property, the values are what somebody may have decided otherwise.
  return patch.list === 'properties' ? isSame(found, patch.elements) : found.length > 0;
}

function isSame(found: readonly JsonValue[], wanted: readonly JsonValue[]): boolean {
  const values = (elements: readonly JsonValue[]): JsonValue =>
    elements.map((element) => (isJsonObject(element) ? (element['values'] ?? null) : null));
  return jsonEqual(values(found), values(wanted));
}
