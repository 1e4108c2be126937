import type { AspectReader } from '../aspect/aspect-store.ts';
import { Aspect, type EntityAspects } from '../aspect/aspect.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { parseUrn, type Urn, urnType } from '../urn/urn.ts';
import { compileTest, type Evaluation } from './compile-test.ts';
import conformance from './conformance.json' with { type: 'json' };
import type { FactSource } from './facts.ts';
import { issueLine } from './issue.ts';
import { loadFacts } from './load-facts.ts';
import { readTestDefinition } from './test-definition.ts';

/** One case of conformance.json: either `rules` over the entity's own type, or a whole `test`. */
export type Vector = {
  readonly id: string;
  readonly about: string;
  /** Needs the extended language. */
  readonly extended: boolean;
  readonly entity?: string;
  readonly rules?: JsonValue;
  readonly test?: JsonValue;
  /** A verdict, or the code of the error that refuses the definition. */
  readonly expect: string;
};

export type PackTest = {
  readonly id: string;
  readonly about: string;
  readonly extended: boolean;
  /** As the matrix of the specification says. */
  readonly portable: boolean;
  readonly definition: JsonValue;
  readonly verdicts: Readonly<Record<string, string>>;
};

export const vectors = conformance.vectors as unknown as readonly Vector[];
export const pack = (conformance.pack as unknown as readonly PackTest[]).map((test) => ({
  ...test,
  portable: !test.extended,
}));
const aliases: Readonly<Record<string, string>> = conformance.aliases;
const entities = conformance.entities as unknown as Readonly<Record<string, JsonObject>>;

/** The URN of `D1`, `B2`, ... */
export function urnOf(alias: string): Urn {
  return parseUrn(aliases[alias] ?? alias);
}

/** A definition whose scope is the entity's own type. */
export function withOwnScope(rules: JsonValue, urn: Urn): JsonValue {
  return { on: { types: [String(entities[urn]?.['__type'])] }, rules };
}

/** Aspects of one entity from plain bodies; `__lastObserved` becomes system metadata, as ingestion would store it. */
export function aspectsFrom(bodies: JsonObject): EntityAspects {
  const observed = bodies['__lastObserved'];
  const system = typeof observed === 'number' ? JSON.stringify({ lastObserved: observed }) : null;
  const stamp = { time: 1_000, actor: 'urn:li:corpuser:ana' };
  const named: [string, JsonObject][] = [['testKey', {}]];
  for (const [name, body] of Object.entries(bodies)) if (isJsonObject(body)) named.push([name, body]);
  return new Map(
    named.map(([name, body]) => [name, new Aspect(name, 1, JSON.stringify(body), stamp, system)]),
  );
}

/** A source over plain bodies by URN, which counts how often it is asked. */
export function sourceOf(
  world: Readonly<Record<string, JsonObject>>,
): FactSource & Pick<AspectReader, 'entities'> & { readonly calls: { readMany: number; existing: number } } {
  const calls = { readMany: 0, existing: 0 };
  const stored = new Map(Object.entries(world).map(([urn, bodies]) => [urn, aspectsFrom(bodies)]));
  return {
    calls,
    entities: ({ type, start, count }) => {
      const items = Object.keys(world)
        .map((urn) => parseUrn(urn))
        .filter((urn) => urnType(urn) === type);
      return Promise.resolve({ items: items.slice(start, start + count), total: items.length });
    },
    readMany: (urns, names) => {
      calls.readMany += 1;
      const asked = (aspects: EntityAspects): EntityAspects =>
        names === undefined ? aspects : new Map([...aspects].filter(([name]) => names.includes(name)));
      return Promise.resolve(new Map(urns.map((urn) => [urn, asked(stored.get(urn) ?? new Map())])));
    },
    existing: (urns) => {
      calls.existing += 1;
      return Promise.resolve(new Set(urns.filter((urn) => stored.has(urn))));
    },
    relationships: ({ urn, start, count }) => {
      const items = Object.entries(world)
        .filter(([, bodies]) => JSON.stringify(bodies['upstreamLineage'] ?? '').includes(`"${urn}"`))
        .map(([source]) => ({ kind: 'DownstreamOf', urn: parseUrn(source), path: '' }));
      return Promise.resolve({ items: items.slice(start, start + count), total: items.length });
    },
  };
}

/** The time for which the verdicts of the matrix were computed. */
export const conformanceNow = 1_760_000_000_000;

export const conformanceWorld = sourceOf(entities);

/** Evaluates a definition on one entity. Throws with the issues when the definition is not valid. */
export async function evaluate(
  definition: JsonValue,
  urn: Urn,
  source: FactSource = conformanceWorld,
): Promise<Evaluation> {
  const read = readTestDefinition(JSON.stringify(definition));
  if (!read.valid) throw new Error(read.issues.map(issueLine).join('\n'));
  const compiled = compileTest(read.definition);
  const facts = await loadFacts(source, urn, compiled.readSet);
  const entity = facts.get(urn);
  if (entity === undefined) throw new Error(`${urn} was not loaded.`);
  return compiled.evaluate(entity, facts, conformanceNow);
}
