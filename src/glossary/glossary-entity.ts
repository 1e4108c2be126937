import type { Demand } from '../auth/caller.ts';
import { asChild, belowNode } from '../auth/glossary-alternatives.ts';
import type { DecisionView } from '../command/command.ts';
import type { Hierarchy } from '../entity/hierarchy.ts';
import { PostilError } from '../errors/postil-error.ts';
import { urnType, type Urn } from '../urn/urn.ts';

/** The two kinds of entities that make up the glossary, and what is said of them. */
export type GlossaryKind = {
  /** As refusals name it. */
  readonly title: string;
  /** The aspect with `name`, `definition` and `parentNode`. */
  readonly aspect: string;
};

export const glossaryTerm: GlossaryKind = { title: 'Glossary Term', aspect: 'glossaryTermInfo' };
export const glossaryNode: GlossaryKind = { title: 'Glossary Node', aspect: 'glossaryNodeInfo' };

/** Terms and nodes stand below nodes. */
export const nodes: Hierarchy = { aspect: glossaryNode.aspect, member: 'parentNode', title: 'node' };

const kinds: ReadonlyMap<string, GlossaryKind> = new Map([
  ['glossaryTerm', glossaryTerm],
  ['glossaryNode', glossaryNode],
]);

/** What the glossary demands of who changes it (contract section 12). */
const manageGlossaries: Demand = { anyOf: ['MANAGE_GLOSSARIES'] };

/** To change or delete a term or node: the same, or rights on a node above it. */
export function demandToChange(urn: Urn): Demand {
  return glossaryKindOf(urn) === undefined ? manageGlossaries : { ...manageGlossaries, or: asChild(urn) };
}

/** To create below a node or move there; at the root only who manages the glossaries may. */
export function demandToPlaceBelow(parent: Urn | undefined): Demand {
  return parent === undefined ? manageGlossaries : { ...manageGlossaries, or: belowNode(parent) };
}

/** `undefined` for what is neither a term nor a node. */
export function glossaryKindOf(urn: Urn): GlossaryKind | undefined {
  return kinds.get(urnType(urn));
}

/** Throws ENTITY_NOT_FOUND, behind `start`, unless the URN is that of a stored glossary node (contract section 7.12). */
export async function requireNode(view: DecisionView, node: Urn, start: string): Promise<void> {
  if (urnType(node) === 'glossaryNode' && (await view.existing([node])).has(node)) return;
  throw new PostilError(
    'ENTITY_NOT_FOUND',
    `${start} ${node} either does not exist or is not a glossaryNode.`,
  );
}
