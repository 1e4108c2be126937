import type { RelationshipQuery } from '../aspect/aspect-store.ts';

type Question = Pick<RelationshipQuery, 'kinds' | 'aspects'> & {
  /** What the edges that are found are called in the answer; absent: their kind. */
  readonly name?: string;
};

/**
 * Names that clients have for edges of columns (wire 8.5). Here they are edges of the kind that the entity has itself, told apart by the
 * aspect that says them.
 */
const columnKinds: ReadonlyMap<string, { readonly kind: string; readonly aspect: string }> = new Map([
  ['SchemaFieldWithGlossaryTerm', { kind: 'TermedWith', aspect: 'schemaMetadata' }],
  ['EditableSchemaFieldWithGlossaryTerm', { kind: 'TermedWith', aspect: 'editableSchemaMetadata' }],
  ['SchemaFieldTaggedWith', { kind: 'TaggedWith', aspect: 'schemaMetadata' }],
  ['EditableSchemaFieldTaggedWith', { kind: 'TaggedWith', aspect: 'editableSchemaMetadata' }],
]);

/** What has to be asked, one after the other, about edges of the kinds that a client names. */
export function questionsAbout(kinds: readonly string[]): readonly Question[] {
  const plain = kinds.filter((kind) => !columnKinds.has(kind));
  const ofColumns = kinds.flatMap((name) => {
    const known = columnKinds.get(name);
    return known === undefined ? [] : [{ name, kinds: [known.kind], aspects: [known.aspect] }];
  });
  return [...(plain.length === 0 ? [] : [{ kinds: plain }]), ...ofColumns];
}
