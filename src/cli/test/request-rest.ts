import { PostilError } from '../../errors/postil-error.ts';

export type RestRequest = {
  readonly method: 'GET' | 'POST';
  /** From the server's root on, with the query. */
  readonly path: string;
  readonly body?: object;
};

/** Sends one REST request to a server and gives the parsed answer. Throws PostilError with the server's own words. */
export async function requestRest<Answer>(
  server: string,
  token: string,
  { method, path, body }: RestRequest,
): Promise<Answer> {
  const url = `${server.replace(/\/+$/, '')}${path}`;
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw new PostilError('BAD_REQUEST', `No server answers at ${url}`, { cause: error });
  }
  if (response.status === 401) throw new PostilError('UNAUTHENTICATED', `${url} does not accept the token`);
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as Answer;
  const { message } = (answer ?? {}) as { readonly message?: string };
  throw new PostilError('BAD_REQUEST', message ?? `${url} answered ${response.status}`);
}
