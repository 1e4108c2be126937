import { isJsonObject } from '../aspect/json.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import { changeLineage } from './keyed-lineage.ts';
import { toMap } from './keyed-value.ts';
import type { KeyedMap } from './keyed-value.ts';

/** One change of a patch; the steps of the path name elements of lists by their keys, not by their places (wire 5.4). */
export type PatchOperation = {
  readonly operation: 'add' | 'remove' | 'replace';
  readonly steps: readonly string[];
  /** Absent for `remove`. */
  readonly value?: JsonValue;
};

/**
 * How the lists of an aspect become maps by key, and back: calls `change` with the body in that form, and returns what it
 * then says.
 */
type PatchTemplate = (body: JsonObject, change: (keyed: KeyedMap) => void) => JsonObject;

/** The aspects that can be patched. */
const templates: ReadonlyMap<string, PatchTemplate> = new Map([['upstreamLineage', changeLineage]]);

/** Reads the list of operations of a patch. Throws BAD_REQUEST, naming the aspect where it cannot be patched. */
export function parsePatch(value: JsonValue, aspect: string, urn: Urn): readonly PatchOperation[] {
  templateOf(aspect, urn);
  if (!Array.isArray(value)) {
    throw new PostilError('BAD_REQUEST', `The patch of ${aspect} of ${urn} must be a list of operations`);
  }
  return value.map((each: JsonValue, index) =>
    parseOperation(each, `Operation ${index + 1} on ${aspect} of ${urn}`),
  );
}

/**
 * The body after the patch. An absent aspect counts as an empty one, missing parents are made, removing what is not there
 * does nothing; elements that stay keep their order, new ones follow. Throws BAD_REQUEST when a path leads nowhere.
 */
export function applyPatch(
  aspect: string,
  urn: Urn,
  body: JsonObject | undefined,
  operations: readonly PatchOperation[],
): JsonObject {
  return templateOf(aspect, urn)(body ?? {}, (keyed) => {
    for (const operation of operations) apply(keyed, operation, `${aspect} of ${urn}`);
  });
}

function templateOf(aspect: string, urn: Urn): PatchTemplate {
  const template = templates.get(aspect);
  if (template !== undefined) return template;
  throw new PostilError(
    'BAD_REQUEST',
    `The changeType PATCH is not supported for the aspect ${aspect} (of ${urn}); send the whole aspect with UPSERT`,
  );
}

function parseOperation(value: JsonValue, what: string): PatchOperation {
  if (!isJsonObject(value)) throw new PostilError('BAD_REQUEST', `${what} must be a JSON object`);
  const { op, path, value: operand } = value as { readonly [member: string]: JsonValue | undefined };
  if (op !== 'add' && op !== 'remove' && op !== 'replace') {
    throw new PostilError(
      'BAD_REQUEST',
      `${what}: "op" must be add, remove or replace, not ${JSON.stringify(op)}`,
    );
  }
  if (typeof path !== 'string' || !path.startsWith('/')) {
    throw new PostilError(
      'BAD_REQUEST',
      `${what}: "path" must be a JSON pointer, not ${JSON.stringify(path)}`,
    );
  }
  const steps = path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (op === 'remove') return { operation: op, steps };
  if (operand === undefined) throw new PostilError('BAD_REQUEST', `${what} has no value`);
  return { operation: op, steps, value: operand };
}

function apply(root: KeyedMap, { operation, steps, value }: PatchOperation, what: string): void {
  const last = steps.at(-1) ?? '';
  let place = root;
  for (const step of steps.slice(0, -1)) {
    let next = place.get(step);
    if (next === undefined || next === null) {
      if (operation === 'remove') return;
      next = new Map();
      place.set(step, next);
    }
    if (!(next instanceof Map)) {
      const path = steps.join('/');
      throw new PostilError(
        'BAD_REQUEST',
        `The path /${path} leads into a value that has no members, in ${what}`,
      );
    }
    place = next;
  }
  if (operation === 'remove') place.delete(last);
  else place.set(last, toMap(value));
}
