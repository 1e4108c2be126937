import { PostilError } from '../../errors/postil-error.ts';

/** Calls a rest.li action of a server and gives its value. Throws PostilError with the server's own words. */
export async function requestAction<Value>(url: string, token: string, body: object): Promise<Value> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch (error) {
    throw new PostilError('BAD_REQUEST', `No server answers at ${url}`, { cause: error });
  }
  if (response.status === 401) throw new PostilError('UNAUTHENTICATED', `${url} does not accept the token`);
  const answer = (await response.json().catch(() => ({}))) as {
    readonly value?: Value;
    readonly message?: string;
  };
  if (response.ok && answer.value !== undefined) return answer.value;
  throw new PostilError('BAD_REQUEST', answer.message ?? `${url} answered ${response.status}`);
}
