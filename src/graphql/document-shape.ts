import { Kind, visit } from 'graphql';
import type {
  DocumentNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import type { GraphqlLimits } from './document-limits.ts';

/**
 * Whether a parsed document keeps to the limits on its shape, judged before it is validated, because validation itself
 * takes time. Gives a sentence about the first limit it exceeds.
 */
export function shapeProblem(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  limits: GraphqlLimits,
): string | undefined {
  const shape = countShape(document);
  return (
    problem('aliases in the document', shape.aliases, limits.aliases) ??
    problem('aliases of root fields', rootAliases(operation, fragments), limits.rootAliases) ??
    problem('directives on one place', shape.directivesPerPlace, limits.directivesPerPlace) ??
    problem('directives in the document', shape.directives, limits.directives) ??
    problem('fragment definitions', shape.fragments, limits.fragments) ??
    problem('fragment spreads', shape.spreads, limits.spreads) ??
    depthProblem(fieldDepth(operation, fragments), limits.fieldDepth)
  );
}

function problem(what: string, count: number, limit: number): string | undefined {
  return count > limit ? `Too many ${what}: ${count} > ${limit}` : undefined;
}

function depthProblem(depth: number, limit: number): string | undefined {
  // The wording of graphql-java.
  return depth > limit ? `maximum query depth exceeded ${depth} > ${limit}` : undefined;
}

type Shape = {
  aliases: number;
  directives: number;
  directivesPerPlace: number;
  fragments: number;
  spreads: number;
};

function countShape(document: DocumentNode): Shape {
  const shape: Shape = { aliases: 0, directives: 0, directivesPerPlace: 0, fragments: 0, spreads: 0 };
  visit(document, {
    enter(node) {
      if ('directives' in node && node.directives !== undefined) {
        shape.directives += node.directives.length;
        shape.directivesPerPlace = Math.max(shape.directivesPerPlace, node.directives.length);
      }
      if (node.kind === Kind.FIELD && node.alias !== undefined) shape.aliases += 1;
      if (node.kind === Kind.FRAGMENT_DEFINITION) shape.fragments += 1;
      if (node.kind === Kind.FRAGMENT_SPREAD || node.kind === Kind.INLINE_FRAGMENT) shape.spreads += 1;
    },
  });
  return shape;
}

function rootAliases(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): number {
  const visited = new Set<string>();
  function count(set: SelectionSetNode | undefined): number {
    let total = 0;
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        if (selection.alias !== undefined) total += 1;
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        total += count(selection.selectionSet);
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        total += count(fragments.get(selection.name.value)?.selectionSet);
      }
    }
    return total;
  }
  return count(operation.selectionSet);
}

function fieldDepth(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): number {
  const known = new Map<string, number>();
  function depthOf(set: SelectionSetNode | undefined): number {
    let deepest = 0;
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) deepest = Math.max(deepest, 1 + depthOf(selection.selectionSet));
      else if (selection.kind === Kind.INLINE_FRAGMENT)
        deepest = Math.max(deepest, depthOf(selection.selectionSet));
      else deepest = Math.max(deepest, depthOfFragment(selection.name.value));
    }
    return deepest;
  }
  function depthOfFragment(name: string): number {
    const depth = known.get(name);
    if (depth !== undefined) return depth;
    // A cycle ends here; validation refuses it.
    known.set(name, 0);
    const total = depthOf(fragments.get(name)?.selectionSet);
    known.set(name, total);
    return total;
  }
  return depthOf(operation.selectionSet);
}
