import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonValue } from '../src/aspect/json.ts';
import type { Caller } from '../src/auth/caller.ts';
import { columnsFragment } from '../src/dataset/columns-fragment.ts';
import { resolvers } from '../src/graphql-slices.ts';
import { createGraphqlAnswerer } from '../src/graphql/answer.ts';
import { createRequestContext } from '../src/graphql/request-context.ts';
import { buildGraphqlSchema } from '../src/graphql/schema.ts';
import { openTestCatalogue } from './catalogue.ts';
import type { TestCatalogue } from './catalogue.ts';

const source = join(import.meta.dirname, '../src');

/** The schema as the slices describe it, whether or not the published one was generated since. */
export const readModelSchema = buildGraphqlSchema(
  globSync('**/*.graphql', { cwd: source }).map((file) => readFileSync(join(source, file), 'utf8')),
  resolvers,
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
