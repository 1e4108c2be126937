/** What stands in a place of an aspect. `any`: the catalogue does not say, so every field is accepted. */
export type Shape =
  | { readonly kind: 'string' | 'number' | 'boolean' | 'timestamp' | 'any' }
  | { readonly kind: 'urn'; readonly types: readonly string[] }
  | { readonly kind: 'record'; readonly fields: { readonly [name: string]: Shape | undefined } }
  | { readonly kind: 'list'; readonly element: Shape }
  | { readonly kind: 'map'; readonly element: Shape };

export function record(fields: { readonly [name: string]: Shape }): Shape {
  return { kind: 'record', fields };
}

export function list(element: Shape): Shape {
  return { kind: 'list', element };
}

export function map(element: Shape): Shape {
  return { kind: 'map', element };
}

/** The field's shape; only own members count, so `constructor` is no field. */
export function fieldOf(shape: Shape & { kind: 'record' }, name: string): Shape | undefined {
  return Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
}
