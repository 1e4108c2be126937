import { isJsonObject, type JsonValue } from '../aspect/json.ts';
import { objectsIn } from '../entity/stored-member.ts';
import { columnCount, columnsOf } from './columns.ts';
import { derivationOf } from './derive-aspects.ts';
import { descriptionPairs, effectiveDescription } from './effective-description.ts';
import {
  type EntityTest,
  type LoadedEntity,
  type Run,
  spend,
  targetOf,
  valueSteps,
  type ValueTest,
} from './facts.ts';
import { along } from './lineage.ts';
import type { KeyedEntries, PathStep, VirtualProperty } from './predicate.ts';
import { firstSynchronized, lastObserved, lastSynchronized } from './synchronized.ts';

/** What stands in for a missing value of a property (S8); no other property has a default. */
const defaults: { readonly [property: string]: JsonValue | undefined } = {
  'deprecation.deprecated': false,
  'status.removed': false,
};

/** What an element of a list costs (limits of the language). */
const elementSteps = 24;

/** The values at the end of a path, without nulls, in their order. */
export function compileCollect(steps: readonly PathStep[]): (entity: LoadedEntity, run: Run) => JsonValue[] {
  let values: JsonValue[] = [];
  const walk = compileWalk(
    steps,
    (value) => {
      values.push(value);
      return false;
    },
    false,
  );
  return (entity, run) => {
    const collected: JsonValue[] = [];
    values = collected;
    walk(entity, run);
    return collected;
  };
}

/**
 * A walk along the steps that stops at the first value for which `test` is true. Nulls are dropped. `useDefaults`: a
 * declared default is tested in the place of a missing value.
 */
export function compileWalk(steps: readonly PathStep[], test: ValueTest, useDefaults: boolean): EntityTest {
  const [step, ...rest] = steps;
  switch (step?.kind) {
    case 'Aspect':
      return compileAspect(step.name, rest, test, useDefaults);
    case 'Virtual':
      return compileVirtual(step.name, compileValue(rest, '', test, useDefaults));
    case 'Root': {
      const next = compileWalk(rest, test, useDefaults);
      return (_entity, run) => next(run.root, run);
    }
    case 'Element': {
      const next = compileValue(rest, '', test, useDefaults);
      return (_entity, run) => next(run.element, run);
    }
    case 'Lineage': {
      const next = compileValue(rest, '', test, useDefaults);
      return (entity, run) => along(entity, step, run).some((urn) => next(urn, run));
    }
    default:
      throw new TypeError('A path starts with an aspect, a virtual property, or what a forEach is at.');
  }
}

function compileAspect(
  name: string,
  rest: readonly PathStep[],
  test: ValueTest,
  useDefaults: boolean,
): EntityTest {
  const fallback = useDefaults ? defaultOf(name, rest) : undefined;
  const next = compileValue(rest, name, test, useDefaults);
  const derive = derivationOf(name);
  if (derive !== undefined) {
    return (entity, run) => {
      const body = entity.aspects.get(name)?.body ?? derive(entity, run);
      return body !== undefined && next(body, run);
    };
  }
  if (fallback === undefined) {
    return (entity, run) => {
      const aspect = entity.aspects.get(name);
      return aspect !== undefined && next(aspect.body, run);
    };
  }
  const isThere = compileValue(rest, name, () => true, false);
  return (entity, run) => {
    const body = entity.aspects.get(name)?.body;
    if (body !== undefined && isThere(body, run)) return next(body, run);
    return entity.exists && test(fallback, run);
  };
}

function defaultOf(aspect: string, rest: readonly PathStep[]): JsonValue | undefined {
  const [field] = rest;
  if (rest.length !== 1 || field?.kind !== 'Field') return undefined;
  const property = `${aspect}.${field.name}`;
  return Object.hasOwn(defaults, property) ? defaults[property] : undefined;
}

/** `aspect` is the one that the steps are inside of. */
function compileValue(
  steps: readonly PathStep[],
  aspect: string,
  test: ValueTest,
  useDefaults: boolean,
): ValueTest {
  const [step, ...rest] = steps;
  if (step === undefined) return (value, run) => value !== null && test(value, run);
  switch (step.kind) {
    case 'Field':
      return compileField(step.name, compileValue(rest, aspect, test, useDefaults));
    case 'Flatten':
      return compileFlatten(compileValue(rest, aspect, test, useDefaults));
    case 'Hop':
      return compileHop(rest, aspect, test, useDefaults);
    case 'Keyed':
      return compileKeyed(
        step.entries,
        step.urn,
        compileFlatten(compileValue(rest, aspect, test, useDefaults)),
      );
    default:
      throw new TypeError(`A step ${step.kind} stands at the start of a path or behind a hop.`);
  }
}

function compileField(name: string, next: ValueTest): ValueTest {
  return (value, run) => {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return false;
    const member = value[name];
    return member !== undefined && next(member, run);
  };
}

function compileFlatten(next: ValueTest): ValueTest {
  const flatten: ValueTest = (value, run) => {
    if (!Array.isArray(value)) return next(value, run);
    for (const element of value as readonly JsonValue[]) {
      spend(run, elementSteps);
      if (flatten(element, run)) return true;
    }
    return false;
  };
  return flatten;
}

/** A target that does not exist or is soft-deleted has no values (S2). */
function compileHop(
  rest: readonly PathStep[],
  aspect: string,
  test: ValueTest,
  useDefaults: boolean,
): ValueTest {
  const onTarget = compileWalk(rest, test, useDefaults);
  const asField = compileAsField(rest, aspect, test, useDefaults);
  return (value, run) => {
    if (typeof value !== 'string') return asField?.(value, run) ?? false;
    const target = targetOf(value, run);
    return target.exists && onTarget(target, run);
  };
}

/** Inside aspects without a known shape a field may be named like an aspect: then a record stands where a URN would. */
function compileAsField(
  rest: readonly PathStep[],
  aspect: string,
  test: ValueTest,
  useDefaults: boolean,
): ValueTest | undefined {
  const [first, ...others] = rest;
  if (first?.kind !== 'Aspect') return undefined;
  return compileField(first.name, compileFlatten(compileValue(others, aspect, test, useDefaults)));
}

function compileKeyed(entries: KeyedEntries, urn: string, next: ValueTest): ValueTest {
  if (entries === 'ownerTypes') {
    // The built-in types had names before they had URNs.
    const legacyType = /__system__([a-z_]+)$/.exec(urn)?.[1]?.toUpperCase();
    return (ownership, run) =>
      isJsonObject(ownership) &&
      objectsIn(ownership, 'owners').some((association) => {
        spend(run, elementSteps);
        const { typeUrn, type, owner } = association;
        const isOfType =
          typeof typeUrn === 'string' ? typeUrn === urn : legacyType !== undefined && type === legacyType;
        return isOfType && owner !== undefined && next(owner, run);
      });
  }
  return (assigned, run) =>
    isJsonObject(assigned) &&
    objectsIn(assigned, 'properties').some((property) => {
      spend(run, elementSteps);
      return (
        property['propertyUrn'] === urn &&
        objectsIn(property, 'values').some((value) => {
          const scalar = value['string'] ?? value['double'];
          return scalar !== undefined && next(scalar, run);
        })
      );
    });
}

function compileVirtual(name: VirtualProperty, test: ValueTest): EntityTest {
  if (name === 'schemaFields' || name === 'columns') {
    return (entity, run) => {
      const columns = columnsOf(entity, run);
      if (columns.length === 0) run.notes.add('EMPTY_COLLECTION');
      return columns.some((column) => {
        spend(run, elementSteps);
        return test(column, run);
      });
    };
  }
  const valueOf = scalars[name];
  return (entity, run) => {
    const value = valueOf(entity);
    spend(run, scalarSteps(name, entity));
    return value !== undefined && test(value, run);
  };
}

/** Whether an edited description is empty is looked at in full. */
function scalarSteps(name: VirtualProperty, entity: LoadedEntity): number {
  if (name !== 'effective.description') return 0;
  const pair = descriptionPairs.get(entity.type);
  const edited = pair === undefined ? undefined : entity.aspects.get(pair.edited)?.body['description'];
  return edited === undefined ? 0 : valueSteps(edited);
}

const scalars: {
  readonly [Name in Exclude<VirtualProperty, 'schemaFields' | 'columns'>]: (
    entity: LoadedEntity,
  ) => JsonValue | undefined;
} = {
  urn: (entity) => entity.urn,
  entityType: (entity) => entity.type,
  'schemaFields.length': columnCount,
  __firstSynchronized: firstSynchronized,
  __lastSynchronized: lastSynchronized,
  __lastObserved: lastObserved,
  'effective.description': effectiveDescription,
};
