import { PostilError } from '../errors/postil-error.ts';

type GraphqlAnswer<Data> = {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string }[];
};

/** Sends one GraphQL request to a server. Throws PostilError with the server's own words when it refuses. */
export async function requestGraphql<Data>(
  server: string,
  token: string,
  query: string,
  variables: object,
): Promise<Data> {
  const url = `${server.replace(/\/+$/, '')}/api/graphql`;
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
  } catch (error) {
    throw new PostilError('BAD_REQUEST', `No server answers at ${url}`, { cause: error });
  }
  if (response.status === 401) throw new PostilError('UNAUTHENTICATED', `${url} does not accept the token`);
  const answer = (await response.json().catch(() => ({}))) as GraphqlAnswer<Data>;
  const [first] = answer.errors ?? [];
  if (first !== undefined) throw new PostilError('BAD_REQUEST', first.message);
  if (answer.data === undefined || answer.data === null) {
    throw new PostilError('BAD_REQUEST', `${url} answered ${response.status} without data`);
  }
  return answer.data;
}
