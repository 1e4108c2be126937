import type { JsonObject } from '../aspect/json.ts';
import { fromAspect } from '../entity/aspect-field.ts';
import { auditStampIn } from '../entity/audit-stamp.ts';
import { customPropertiesField } from '../entity/custom-properties.ts';
import { keyBodyOf } from '../entity/entity-registry.ts';
import { referredEntity, referredEntityIn } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { knownTextIn, objectIn, objectsIn, textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';

/** The GraphQL type `QuerySubject`. */
type QuerySubject = { readonly dataset: EntityValue; readonly schemaField: EntityValue | null };

const languages: ReadonlySet<string> = new Set(['SQL', 'UNKNOWN']);
const sources: ReadonlySet<string> = new Set(['MANUAL', 'SYSTEM']);

/** What is neither a dataset nor a column of one is left out. */
function subjectsOf(body: JsonObject): readonly QuerySubject[] {
  return objectsIn(body, 'subjects').flatMap((subject): QuerySubject | [] => {
    const schemaField = referredEntityIn(subject, 'entity', 'schemaField');
    const dataset =
      schemaField === undefined
        ? referredEntityIn(subject, 'entity', 'dataset')
        : referredEntityIn(keyBodyOf(schemaField.urn), 'parent', 'dataset');
    return dataset === undefined ? [] : { dataset, schemaField: schemaField ?? null };
  });
}

export const queryResolvers: Resolvers = {
  QueryEntity: {
    properties: fromAspect('queryProperties', (body, urn) => {
      const statement = objectIn(body, 'statement');
      return {
        urn,
        body,
        statement: {
          value: textIn(statement, 'value') ?? '',
          language: knownTextIn(statement, 'language', languages) ?? 'UNKNOWN',
        },
        source: knownTextIn(body, 'source', sources) ?? 'SYSTEM',
        name: textIn(body, 'name'),
        description: textIn(body, 'description'),
        created: auditStampIn(body, 'created'),
        lastModified: auditStampIn(body, 'lastModified'),
        origin: referredEntity(body['origin']) ?? null,
      };
    }),
    subjects: fromAspect('querySubjects', subjectsOf),
  },
  QueryProperties: { customProperties: customPropertiesField },
};
