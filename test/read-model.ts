import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonValue } from '../src/aspect/json.ts';
import { appConfigResolvers } from '../src/app/app-config.resolvers.ts';
import { entityPrivilegesResolvers } from '../src/auth/entity-privileges.resolvers.ts';
import type { Caller } from '../src/auth/caller.ts';
import { browseResolvers } from '../src/browse/browse.resolvers.ts';
import { containerResolvers } from '../src/container/container.resolvers.ts';
import { columnsFragment } from '../src/dataset/columns-fragment.ts';
import { datasetResolvers } from '../src/dataset/dataset.resolvers.ts';
import { schemaResolvers } from '../src/dataset/schema.resolvers.ts';
import { domainResolvers } from '../src/domain/domain.resolvers.ts';
import { entityResolvers } from '../src/entity/entity.resolvers.ts';
import { glossaryResolvers } from '../src/glossary/glossary.resolvers.ts';
import { createGraphqlAnswerer } from '../src/graphql/answer.ts';
import { createRequestContext } from '../src/graphql/request-context.ts';
import type { Resolvers } from '../src/graphql/resolver.ts';
import { buildGraphqlSchema } from '../src/graphql/schema.ts';
import { lifecycleResolvers } from '../src/lifecycle/lifecycle.resolvers.ts';
import { institutionalMemoryResolvers } from '../src/link/institutional-memory.resolvers.ts';
import { metadataTestResolvers } from '../src/metadata-test/metadata-test.resolvers.ts';
import { ownershipResolvers } from '../src/ownership/ownership.resolvers.ts';
import { platformResolvers } from '../src/platform/platform.resolvers.ts';
import { relationshipResolvers } from '../src/relationship/relationship.resolvers.ts';
import { tagResolvers } from '../src/tag/tag.resolvers.ts';
import { glossaryTermsResolvers } from '../src/term/glossary-terms.resolvers.ts';
import { userResolvers } from '../src/user/user.resolvers.ts';
import { openTestCatalogue } from './catalogue.ts';
import type { TestCatalogue } from './catalogue.ts';

/** The slices of the read model: where their SDL lies in `src`, and what resolves it. */
const slices: readonly (readonly [sdl: string, resolvers: Resolvers])[] = [
  ['app/app-config', appConfigResolvers],
  ['auth/entity-privileges', entityPrivilegesResolvers],
  ['browse/browse', browseResolvers],
  ['container/container', containerResolvers],
  ['dataset/dataset', datasetResolvers],
  ['dataset/schema', schemaResolvers],
  ['domain/domain', domainResolvers],
  ['entity/entity', entityResolvers],
  ['glossary/glossary', glossaryResolvers],
  ['lifecycle/lifecycle', lifecycleResolvers],
  ['link/institutional-memory', institutionalMemoryResolvers],
  ['metadata-test/metadata-test', metadataTestResolvers],
  ['ownership/ownership', ownershipResolvers],
  ['platform/platform', platformResolvers],
  ['relationship/relationship', relationshipResolvers],
  ['tag/tag', tagResolvers],
  ['term/glossary-terms', glossaryTermsResolvers],
  ['user/user', userResolvers],
];

/** The root of the schema without mutations, which other slices bring. */
const root = 'scalar Long type Query { entityExists(urn: String!): Boolean }';

const source = join(import.meta.dirname, '../src');

/** The schema of everything that can be read. */
export const readModelSchema = buildGraphqlSchema(
  [root, ...slices.map(([sdl]) => readFileSync(join(source, `${sdl}.graphql`), 'utf8'))],
  slices.map(([, resolvers]) => resolvers),
);

export type Answer = {
  readonly data: { readonly [field: string]: JsonValue } | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: { readonly code: number; readonly type: string };
  }[];
};

export type ReadModel = TestCatalogue & {
  /** Answers a query as the door would, for the editor unless another caller is given. */
  ask(query: string, variables?: { readonly [name: string]: unknown }, caller?: Caller): Promise<Answer>;
  /** The same as text. */
  askText(query: string, variables?: { readonly [name: string]: unknown }, caller?: Caller): Promise<string>;
};

/** A test catalogue that answers queries. What resolvers throw unexpectedly fails the test. */
export async function openReadModel(fragments = [columnsFragment]): Promise<ReadModel> {
  const catalogue = await openTestCatalogue({ fragments });
  const answer = createGraphqlAnswerer({
    schema: readModelSchema,
    logUnexpected: (cause) => {
      throw cause;
    },
  });
  const askText: ReadModel['askText'] = async (query, variables, caller = catalogue.editor) => {
    const context = createRequestContext({
      caller,
      reader: catalogue.store,
      execute: catalogue.engine.execute,
      now: Date.now,
      services: {},
    });
    return (await answer({ query, variables }, context)).text;
  };
  return {
    ...catalogue,
    askText,
    ask: async (query, variables, caller) => JSON.parse(await askText(query, variables, caller)) as Answer,
  };
}
