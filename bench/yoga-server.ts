import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { join } from 'node:path';
import { GraphQLError } from 'graphql';
import { createSchema, createYoga } from 'graphql-yoga';
import { databaseFileName } from '../src/storage/sqlite/sqlite-aspect-store.ts';
import { namesPerEntity } from '../src/storage/aspect-key.ts';
import { benchToken } from './child-process.ts';

/**
 * The same answers as a careful programmer would give them with graphql-yoga: the same SQLite file, prepared statements,
 * one read per aspect, JSON.parse, terms read once per request. Its documents are cached by their text, as yoga does
 * by default. Its argument is the folder of a store.
 */
const database = new DatabaseSync(join(process.argv[2] ?? '', databaseFileName), { readOnly: true });
database.exec('PRAGMA busy_timeout = 10000; PRAGMA cache_size = -12000');
const selectId = arrays('SELECT id FROM entity WHERE urn = ?');
const selectBody = arrays('SELECT body FROM aspect WHERE key = ?');
const selectName = arrays('SELECT id FROM name WHERE text = ?');
const names = new Map<string, number>();

type Body = { readonly [member: string]: unknown };
type Entity = { readonly urn: string; readonly id: number | undefined };
type Context = { readonly terms: Map<string, Entity> };

const typeDefs = /* GraphQL */ `
  type Query {
    dataset(urn: String!): Dataset
  }
  type Dataset {
    urn: String!
    properties: DatasetProperties
    glossaryTerms: GlossaryTerms
    schemaMetadata: SchemaMetadata
  }
  type DatasetProperties {
    description: String
  }
  type GlossaryTerms {
    terms: [GlossaryTermAssociation!]
  }
  type GlossaryTermAssociation {
    term: GlossaryTerm!
  }
  type GlossaryTerm {
    urn: String!
    glossaryTermInfo: GlossaryTermInfo
  }
  type GlossaryTermInfo {
    name: String
    description: String
  }
  type SchemaMetadata {
    fields: [SchemaField!]!
  }
  type SchemaField {
    fieldPath: String!
    description: String
  }
`;

const resolvers = {
  Query: { dataset: (_root: unknown, { urn }: { urn: string }): Entity => entityOf(urn) },
  Dataset: {
    properties: (entity: Entity) => bodyOf(entity, 'datasetProperties'),
    glossaryTerms: (entity: Entity) => bodyOf(entity, 'glossaryTerms'),
    schemaMetadata: (entity: Entity) => bodyOf(entity, 'schemaMetadata'),
  },
  GlossaryTermAssociation: {
    term({ urn }: { urn: string }, _arguments: unknown, { terms }: Context): Entity {
      let term = terms.get(urn);
      if (term === undefined) terms.set(urn, (term = entityOf(urn)));
      return term;
    },
  },
  GlossaryTerm: { glossaryTermInfo: (term: Entity) => bodyOf(term, 'glossaryTermInfo') },
  GlossaryTermInfo: { description: (info: Body) => info['definition'] },
};

const expectedToken = sha256(`Bearer ${benchToken}`);
const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers }),
  graphqlEndpoint: '/api/graphql',
  logging: false,
  graphiql: false,
  landingPage: false,
  context({ request }): Context {
    if (!timingSafeEqual(sha256(request.headers.get('authorization') ?? ''), expectedToken)) {
      throw new GraphQLError('Unauthorized');
    }
    return { terms: new Map() };
  },
});

const server = createServer((request, response) => void yoga(request, response));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  console.log(JSON.stringify({ message: 'ready', url: `http://127.0.0.1:${port}` }));
});
process.on('SIGTERM', () => process.exit(0));

function arrays(sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

function entityOf(urn: string): Entity {
  const row = selectId.get(urn) as unknown as [number] | undefined;
  return { urn, id: row?.[0] };
}

function bodyOf({ id }: Entity, aspect: string): Body | null {
  if (id === undefined) return null;
  let name = names.get(aspect);
  if (name === undefined) {
    name = (selectName.get(aspect) as unknown as [number] | undefined)?.[0] ?? 0;
    names.set(aspect, name);
  }
  const row = selectBody.get(id * namesPerEntity + name) as unknown as [string | null] | undefined;
  return typeof row?.[0] === 'string' ? (JSON.parse(row[0]) as Body) : null;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
