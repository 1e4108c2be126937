import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { nearestName } from '../entity/nearest-name.ts';
import { pointerTo, report } from './issue.ts';
import type { ForEach, Predicate, Quantifier } from './predicate.ts';
import { type Collection, maxLineageHops, resolveCollection } from './property-path.ts';
import { maxForEachDepth, maxPathLength, type ReadingState } from './reading-state.ts';

type ReadPart = (value: JsonValue | undefined, pointer: string) => Predicate | undefined;

const kinds = ['all', 'any', 'none', 'atLeast'] as const;

/** Reads a `forEach`; `readPart` reads the predicates inside. */
export function readForEach(
  value: JsonObject,
  pointer: string,
  state: ReadingState,
  readPart: ReadPart,
): ForEach | undefined {
  if (state.forEachDepth >= maxForEachDepth) {
    report(
      state.findings,
      'MT140',
      pointer,
      `forEach stands at most ${maxForEachDepth} levels deep in forEach.`,
    );
    return undefined;
  }
  state.findings.extensions.add(pointerTo(pointer, 'forEach'));
  const collection = readCollection(value, pointer, state);
  const quantifier = readQuantifier(value, pointer, state);
  const onEmpty = readOnEmpty(value, pointer, state);
  if (!Object.hasOwn(value, 'satisfies')) {
    report(
      state.findings,
      'MT110',
      pointer,
      "'forEach' needs 'satisfies': what shall hold for its elements.",
    );
  }
  if (collection === undefined) return undefined;
  const around = state.start;
  state.start = collection.start;
  state.forEachDepth += 1;
  const where = Object.hasOwn(value, 'where')
    ? readPart(value['where'], pointerTo(pointer, 'where'))
    : undefined;
  const satisfies = Object.hasOwn(value, 'satisfies')
    ? readPart(value['satisfies'], pointerTo(pointer, 'satisfies'))
    : undefined;
  state.forEachDepth -= 1;
  state.start = around;
  if (quantifier === undefined || onEmpty === undefined || satisfies === undefined) return undefined;
  return {
    kind: 'ForEach',
    collection: collection.path,
    elements: collection.start.kind === 'value' ? 'value' : 'entity',
    ...(where === undefined ? {} : { where }),
    satisfies,
    quantifier,
    onEmpty,
    pointer,
  };
}

function readCollection(value: JsonObject, pointer: string, state: ReadingState): Collection | undefined {
  const written = value['forEach'];
  const at = pointerTo(pointer, 'forEach');
  if (typeof written !== 'string' || written === '') {
    report(state.findings, 'MT101', at, "'forEach' names a collection: 'columns', or any property.");
    return undefined;
  }
  if (written.length > maxPathLength) {
    report(state.findings, 'MT140', at, `A property has at most ${maxPathLength} characters.`);
    return undefined;
  }
  const hops = value['hops'] ?? 1;
  if (typeof hops !== 'number' || !Number.isInteger(hops) || hops < 1) {
    report(
      state.findings,
      'MT123',
      pointerTo(pointer, 'hops'),
      `'hops' is a whole number, 1 to ${maxLineageHops}.`,
    );
    return undefined;
  }
  if (hops > maxLineageHops) {
    report(
      state.findings,
      'MT115',
      pointerTo(pointer, 'hops'),
      `Lineage is followed ${maxLineageHops} hops at most.`,
    );
    return undefined;
  }
  if (Object.hasOwn(value, 'hops') && !/^(?:\$root\.)?lineage\./.test(written)) {
    report(state.findings, 'MT123', pointerTo(pointer, 'hops'), "'hops' is for lineage only.");
    return undefined;
  }
  return resolveCollection(written, hops, state.findings, at, state.start);
}

function readQuantifier(
  value: JsonObject,
  pointer: string,
  { findings }: ReadingState,
): Quantifier | undefined {
  const written = value['quantifier'] ?? 'all';
  const kind = kinds.find((name) => name === written);
  if (kind === undefined) {
    const message = `'quantifier' is one of ${kinds.join(', ')}.`;
    const nearest = typeof written === 'string' ? nearestName(written, kinds) : undefined;
    report(findings, 'MT110', pointerTo(pointer, 'quantifier'), message, nearest);
    return undefined;
  }
  const { ratio, count } = value;
  if (kind !== 'atLeast') {
    const surplus = ratio !== undefined ? 'ratio' : count !== undefined ? 'count' : undefined;
    if (surplus === undefined) return { kind };
    report(
      findings,
      'MT123',
      pointerTo(pointer, surplus),
      `'${surplus}' is for the quantifier 'atLeast' only.`,
    );
    return undefined;
  }
  if ((ratio === undefined) === (count === undefined)) {
    report(findings, 'MT123', pointer, "'atLeast' needs either 'ratio' or 'count'.");
    return undefined;
  }
  if (typeof ratio === 'number' && ratio >= 0 && ratio <= 1) return { kind, ratio };
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return { kind, count };
  const at = pointerTo(pointer, ratio === undefined ? 'count' : 'ratio');
  const wanted =
    ratio === undefined ? "'count' is a whole number from 0 on." : "'ratio' is a number from 0 to 1.";
  report(findings, 'MT123', at, wanted);
  return undefined;
}

function readOnEmpty(
  value: JsonObject,
  pointer: string,
  state: ReadingState,
): ForEach['onEmpty'] | undefined {
  const written = value['onEmpty'] ?? 'fail';
  if (written === 'fail' || written === 'pass') return written;
  report(state.findings, 'MT110', pointerTo(pointer, 'onEmpty'), "'onEmpty' is either 'fail' or 'pass'.");
  return undefined;
}
