import type { Command } from '../command/command.ts';
import { jsonEqual } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseTestUrn, testInfoOf, type TestInput } from './test-entity.ts';

export type UpdateTestInput = { readonly urn: string; readonly input: TestInput };

/** Contract section 7.18: replaces what is known of a test, whole. The same again changes nothing. Answers the URN. */
export const updateTest: Command<UpdateTestInput, string> = {
  name: 'updateTest',
  demands: () => [{ anyOf: ['MANAGE_TESTS'] }],
  async decide(view, { urn: text, input }, { now }) {
    const urn = parseTestUrn(text);
    const stored = await view.read(urn, ['testKey', 'testInfo']);
    if (!stored.has('testKey')) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to update ${urn}. ${urn} does not exist.`);
    }
    const body = testInfoOf(input, now);
    const before = stored.get('testInfo')?.body;
    const { lastUpdatedTimestamp: since } = before ?? {};
    if (before !== undefined && jsonEqual({ ...body, lastUpdatedTimestamp: since }, before)) {
      return { writes: [], result: urn };
    }
    return { writes: [{ urn, aspect: 'testInfo', body }], result: urn };
  },
};
