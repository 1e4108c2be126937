import {
  buildASTSchema,
  isAbstractType,
  isObjectType,
  isScalarType,
  lexicographicSortSchema,
  parse,
  printSchema,
} from 'graphql';
import type {
  DocumentNode,
  GraphQLAbstractType,
  GraphQLField,
  GraphQLObjectType,
  GraphQLSchema,
} from 'graphql';
import { longScalar } from './long.ts';
import type { RequestContext } from './request-context.ts';
import type { FieldInfo, FieldResolver, ResolverRecord, Resolvers } from './resolver.ts';

const recordsByField = new WeakMap<object, ResolverRecord>();
const resolversByAbstractType = new WeakMap<object, FieldResolver>();

/** The resolver that a slice gave for a field; `undefined` where the field is the property of its name. */
export function resolverOf(field: GraphQLField<unknown, unknown>): ResolverRecord | undefined {
  return recordsByField.get(field);
}

/** The `__resolveType` that a slice gave for an interface or union; `undefined` where the value's `__typename` tells. */
export function typeResolverOf(type: GraphQLAbstractType): FieldResolver | undefined {
  return resolversByAbstractType.get(type);
}

/**
 * Merges the slices' SDL and resolvers. `Query`, `Mutation` and `scalar Long` need not be declared: slices write
 * `extend type Query`. Throws when a resolver has no field in the SDL, when two slices resolve one field, when a field of
 * Query or Mutation has no resolver (there is no property it could come from), and when the SDL is not valid; `isKnownValid`
 * spares that last check, which is most of the work, where the SDL was checked when it was generated.
 */
export function buildGraphqlSchema(
  sdlTexts: readonly string[],
  resolvers: readonly Resolvers[],
  { isKnownValid = false }: { readonly isKnownValid?: boolean } = {},
): GraphQLSchema {
  const schema = buildASTSchema(mergeDocuments(sdlTexts), {
    assumeValidSDL: isKnownValid,
    assumeValid: isKnownValid,
  });
  const long = schema.getType('Long');
  if (isScalarType(long)) {
    const { serialize, parseValue, parseLiteral, description } = longScalar;
    Object.assign(long, {
      serialize,
      parseValue,
      parseLiteral,
      description: long.description ?? description,
    });
  }
  const resolved = new Set<string>();
  for (const slice of resolvers) {
    for (const [typeName, fields] of Object.entries(slice)) {
      for (const [fieldName, resolver] of Object.entries(fields)) {
        const name = `${typeName}.${fieldName}`;
        if (resolved.has(name)) throw new Error(`${name} has two resolvers; keep one of them`);
        resolved.add(name);
        attach(schema, typeName, fieldName, resolver);
      }
    }
  }
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const fieldName of Object.keys(root?.getFields() ?? {})) {
      if (!resolved.has(`${root?.name}.${fieldName}`)) {
        throw new Error(`${root?.name}.${fieldName} has no resolver; a root field cannot be a property`);
      }
    }
  }
  return schema;
}

/** The public contract in one text, sorted, so that slices may move without a difference. */
export function printMergedSchema(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

function mergeDocuments(sdlTexts: readonly string[]): DocumentNode {
  const definitions = sdlTexts.flatMap((text) => parse(text, { noLocation: true }).definitions);
  const declared = new Set<string>();
  const extended = new Set<string>();
  for (const definition of definitions) {
    if (!('name' in definition) || definition.name === undefined) continue;
    (definition.kind.endsWith('Extension') ? extended : declared).add(definition.name.value);
  }
  const own = ['Query', 'Mutation'].filter((name) => extended.has(name) && !declared.has(name));
  const sdl = own.map((name) => `type ${name}`).concat(declared.has('Long') ? [] : ['scalar Long']);
  const first = sdl.length === 0 ? [] : parse(sdl.join('\n'), { noLocation: true }).definitions;
  return { ...parse('scalar Long', { noLocation: true }), definitions: [...first, ...definitions] };
}

function attach(
  schema: GraphQLSchema,
  typeName: string,
  fieldName: string,
  resolver: FieldResolver | ResolverRecord,
): void {
  const type = schema.getType(typeName);
  const record: ResolverRecord = typeof resolver === 'function' ? { resolve: resolver } : resolver;
  const { resolve } = record;
  if (fieldName === '__resolveType' && isAbstractType(type)) {
    resolversByAbstractType.set(type, resolve);
    type.resolveType = (value: unknown, context: RequestContext, info) =>
      parseTypeName(resolve(value, {}, context, infoOf(info.fieldName, info.path)));
    return;
  }
  const field = isObjectType(type) ? fieldOf(type, fieldName) : undefined;
  if (field === undefined) {
    throw new Error(
      `${typeName}.${fieldName} has a resolver but is not a field of an object type in the SDL`,
    );
  }
  recordsByField.set(field, record);
  // The library's own executor, which answers introspection, calls the same resolvers.
  field.resolve = (source: unknown, args: unknown, context: RequestContext, info) =>
    resolve(source, args, context, infoOf(info.fieldName, info.path));
}

function fieldOf(type: GraphQLObjectType, name: string): GraphQLField<unknown, RequestContext> | undefined {
  const fields = type.getFields();
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

type LibraryPath = { readonly prev: LibraryPath | undefined; readonly key: string | number };

function infoOf(fieldName: string, path: LibraryPath): FieldInfo {
  return { fieldName, path: pathOf(path) };
}

function pathOf(path: LibraryPath): FieldInfo['path'] {
  return { key: path.key, previous: path.prev === undefined ? undefined : pathOf(path.prev) };
}

/** The name that a slice's `__resolveType` gave, or the promise of one. */
function parseTypeName(value: unknown): string | undefined | Promise<string | undefined> {
  if (typeof value === 'string') return value;
  if (value instanceof Promise) return value.then((name) => (typeof name === 'string' ? name : undefined));
  return undefined;
}
