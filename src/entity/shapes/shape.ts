/**
 * What an aspect has to look like, as data. Members that a shape does not name are kept and are no error; members are
 * optional unless `required`, and those that DataHub gives a default (customProperties, tags, most audit stamps) are
 * therefore simply optional here (wire, traps 25).
 */
export type Shape =
  | { readonly kind: 'any' }
  /** `isLink`: readers are led there, so nothing may run by following it. */
  | { readonly kind: 'string'; readonly maxBytes: number | undefined; readonly isLink?: boolean }
  | { readonly kind: 'number' }
  | { readonly kind: 'integer' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'enum'; readonly values: ReadonlySet<string> }
  /** A well-formed URN; without `types`, of any entity type. */
  | { readonly kind: 'urn'; readonly types: ReadonlySet<string> | undefined }
  /** `distinct`: each element is a record whose member of that name is not empty and occurs once in the list. */
  | { readonly kind: 'list'; readonly items: Shape; readonly distinct: string | undefined }
  | { readonly kind: 'map'; readonly values: Shape }
  /** A one-key object whose key is a class name or a primitive (wire 2.4). */
  | { readonly kind: 'union'; readonly branches: ReadonlyMap<string, Shape> }
  | RecordShape;

export type RecordShape = {
  readonly kind: 'record';
  readonly members: ReadonlyMap<string, MemberShape>;
  readonly requiredCount: number;
};

export type MemberShape = { readonly shape: Shape; readonly required: boolean };

type RequiredShape = { readonly kind: 'required'; readonly shape: Shape };

export const anything: Shape = { kind: 'any' };
export const text: Shape = { kind: 'string', maxBytes: undefined };
export const number: Shape = { kind: 'number' };
export const integer: Shape = { kind: 'integer' };
export const boolean: Shape = { kind: 'boolean' };
export const anyUrn: Shape = { kind: 'urn', types: undefined };

/** Sizes that people's texts may have (reliability-security 5.1), in UTF-8 bytes. */
export const descriptionText: Shape = { kind: 'string', maxBytes: 256 * 1024 };
export const nameText: Shape = { kind: 'string', maxBytes: 1024 };
export const urlText: Shape = { kind: 'string', maxBytes: 8 * 1024, isLink: true };
/** A link that a source told, of whatever length. */
export const sourceLink: Shape = { kind: 'string', maxBytes: undefined, isLink: true };

export function enumOf(...values: readonly string[]): Shape {
  return { kind: 'enum', values: new Set(values) };
}

export function urnOf(...types: readonly string[]): Shape {
  return { kind: 'urn', types: new Set(types) };
}

export function list(items: Shape, distinct?: string): Shape {
  return { kind: 'list', items, distinct };
}

export function map(values: Shape): Shape {
  return { kind: 'map', values };
}

export function union(branches: { readonly [name: string]: Shape }): Shape {
  return { kind: 'union', branches: new Map(Object.entries(branches)) };
}

export function required(shape: Shape): RequiredShape {
  return { kind: 'required', shape };
}

export function record(members: { readonly [name: string]: Shape | RequiredShape }): RecordShape {
  const entries = Object.entries(members).map(([name, member]): readonly [string, MemberShape] =>
    member.kind === 'required'
      ? [name, { shape: member.shape, required: true }]
      : [name, { shape: member, required: false }],
  );
  return {
    kind: 'record',
    members: new Map(entries),
    requiredCount: entries.filter(([, member]) => member.required).length,
  };
}

/** The members of one record in another, for what the models include everywhere. */
export function extended(
  inner: RecordShape,
  members: { readonly [name: string]: Shape | RequiredShape },
): RecordShape {
  const own = record(members);
  return {
    kind: 'record',
    members: new Map([...inner.members, ...own.members]),
    requiredCount: inner.requiredCount + own.requiredCount,
  };
}
