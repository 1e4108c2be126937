import type { JsonObject } from '../aspect/json.ts';
import { fromAspect } from '../entity/aspect-field.ts';
import { attributionOf } from '../entity/attribution.ts';
import type { Attribution } from '../entity/attribution.ts';
import { columnElements } from '../entity/column-value.ts';
import type { ColumnValue } from '../entity/column-value.ts';
import { referredEntityIn } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { objectsIn, textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import type { Urn } from '../urn/urn.ts';

/** The GraphQL type `GlossaryTermAssociation` (contract section 10.4). */
type TermAssociation = {
  readonly term: EntityValue;
  readonly actor: EntityValue | null;
  readonly associatedUrn: Urn;
  readonly context: string | null;
  readonly attribution: Attribution | null;
};

type GlossaryTerms = { readonly terms: readonly TermAssociation[] };

/** What is attached but is no glossary term is left out. */
function glossaryTerms(elements: readonly JsonObject[], urn: Urn): GlossaryTerms {
  const terms = elements.flatMap((element): TermAssociation | [] => {
    const term = referredEntityIn(element, 'urn', 'glossaryTerm');
    if (term === undefined) return [];
    return {
      term,
      actor: referredEntityIn(element, 'actor', 'corpuser') ?? null,
      associatedUrn: urn,
      context: textIn(element, 'context'),
      attribution: attributionOf(element),
    };
  });
  return { terms };
}

const ofEntity = fromAspect('glossaryTerms', (body, urn) => glossaryTerms(objectsIn(body, 'terms'), urn));

function ofColumn(column: ColumnValue): GlossaryTerms | null {
  const elements = columnElements(column, 'glossaryTerms');
  return elements === undefined ? null : glossaryTerms(elements, column.urn);
}

export const glossaryTermsResolvers: Resolvers = {
  Dataset: { glossaryTerms: ofEntity },
  Container: { glossaryTerms: ofEntity },
  ERModelRelationship: { glossaryTerms: ofEntity },
  MLModel: { glossaryTerms: ofEntity },
  MLModelGroup: { glossaryTerms: ofEntity },
  MLFeature: { glossaryTerms: ofEntity },
  MLFeatureTable: { glossaryTerms: ofEntity },
  MLPrimaryKey: { glossaryTerms: ofEntity },
  BusinessAttributeInfo: { glossaryTerms: ofColumn },
  Chart: { glossaryTerms: ofEntity },
  Dashboard: { glossaryTerms: ofEntity },
  DataProduct: { glossaryTerms: ofEntity },
  DataFlow: { glossaryTerms: ofEntity },
  DataJob: { glossaryTerms: ofEntity },
  SchemaFieldEntity: { glossaryTerms: ofEntity },
  SchemaField: { glossaryTerms: ofColumn },
  EditableSchemaFieldInfo: { glossaryTerms: ofColumn },
};
