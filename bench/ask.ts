import { benchToken, type ServerProcess } from './child-process.ts';

/** Sends one GraphQL request and gives the text of the answer. */
export async function ask({ port }: ServerProcess, body: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${benchToken}`, 'content-type': 'application/json' },
    body,
  });
  return response.text();
}
