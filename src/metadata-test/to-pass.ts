import type { ExplainedLeaf, ExplainedNode } from './explanation.ts';

/** What people call well-known properties, in the singular. */
const names: { readonly [property: string]: string | undefined } = {
  'ownership.owners.owner': 'owner',
  'globalTags.tags.tag': 'tag',
  tags: 'tag',
  'glossaryTerms.terms.urn': 'glossary term',
  terms: 'glossary term',
  'domains.domains': 'domain',
  'container.container': 'container',
  'effective.description': 'description',
  description: 'description',
  'deprecation.note': 'note to the deprecation',
};

/** Properties that nobody edits: they are what the entity is, or what was measured. */
const measured =
  /^(?:\$root\.)?(?:urn$|entityType$|__|schemaFields\.length$|usageFeatures\.|storageFeatures\.|assertionsSummary\.|\$value$|fieldPath$|name$|nativeDataType$)/;

/**
 * The least edits that give a node the wanted outcome, as sentences; none where no edit can. `outcome` is what it should
 * be: false below a `not`.
 */
export function hintsOf(node: ExplainedNode, wanted: boolean): readonly string[] {
  if (node.outcome === wanted) return [];
  if (node.leaf !== undefined) {
    const hint = hintOf(node.leaf, wanted);
    return hint === undefined ? [] : [`${hint}.`];
  }
  if (node.elements !== undefined) {
    const { collection, shown, selected } = node.elements;
    if (selected === 0) return wanted ? [`Give '${collection}' an element that counts.`] : [];
    return shown.flatMap(({ element, why }) =>
      hintsOf(why, !why.outcome).map((hint) => `${element}: ${hint}`),
    );
  }
  // Below `not`, what holds should not.
  const below = node.node === 'not' ? !wanted : wanted;
  const parts = node.children.map((child) => hintsOf(child, below)).filter((hints) => hints.length > 0);
  // One of several is enough: of an `or` that should hold, of an `and` or `not` that should not.
  const isChoice = node.node === 'or' ? wanted : !wanted;
  if (!isChoice || parts.length < 2) return parts.flat();
  return [parts.map((hints) => hints.join(' ')).join(' Or: ')];
}

function hintOf({ property, operator, expected }: ExplainedLeaf, wanted: boolean): string | undefined {
  if (measured.test(property)) return undefined;
  const name = names[property];
  const values = expected.join(' or ');
  const thing = name === undefined ? `'${property}'` : `the ${name}`;
  const some =
    name === undefined ? `a value for '${property}'` : `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
  switch (operator) {
    case 'exists':
      return wanted ? `Set ${some}` : `Remove ${thing}`;
    case 'is_empty':
      return wanted ? `Remove ${thing}` : `Set ${some}`;
    case 'is_true':
      return `Set '${property}' to ${wanted}`;
    case 'is_false':
      return `Set '${property}' to ${!wanted}`;
    case 'equals':
    case 'contains_any':
    case 'subset_of':
      return wanted ? `Set ${thing} to ${values}` : `Remove ${values} from '${property}'`;
    case 'not_equals':
    case 'contains_none':
      return wanted ? `Remove ${values} from '${property}'` : `Set ${thing} to ${values}`;
    case 'contains_all':
      return wanted
        ? `Add to '${property}' all of ${expected.join(', ')}`
        : `Remove one of ${expected.join(', ')}`;
    case 'within':
      return wanted ? `Set ${some} below ${values}` : `Remove what lies below ${values} from '${property}'`;
    case 'schema_fields_have_descriptions':
      return wanted ? 'Describe every column' : undefined;
    default:
      return `Change ${thing} so that it is ${wanted ? '' : 'not '}${operator} ${expected.join(', ')}`;
  }
}
