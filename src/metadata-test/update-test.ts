import type { Command } from '../command/command.ts';
import { jsonEqual } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import { requireFittingActions } from './action/save-actions.ts';
import { parseTestUrn, testInfoOf, type TestInput } from './test-entity.ts';

export type UpdateTestInput = { readonly urn: string; readonly input: TestInput };

/**
 * Contract section 7.18: replaces what the input says of a test; the other members of `testInfo` stay. The same again
 * changes nothing. Answers the URN.
 */
export const updateTest: Command<UpdateTestInput, string> = {
  name: 'updateTest',
  demands: () => [{ anyOf: ['MANAGE_TESTS'] }],
  async decide(view, { urn: text, input }, { now }) {
    const urn = parseTestUrn(text);
    const stored = await view.read(urn, ['testKey', 'testInfo']);
    if (!stored.has('testKey')) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to update ${urn}. ${urn} does not exist.`);
    }
    const before = stored.get('testInfo')?.body;
    // What the input cannot say, such as whether the test is active, stays as it was.
    const { description: _, ...kept } = before ?? {};
    const body = { ...kept, ...testInfoOf(input, now) };
    const { lastUpdatedTimestamp: since } = before ?? {};
    if (before !== undefined && jsonEqual({ ...body, lastUpdatedTimestamp: since }, before)) {
      return { writes: [], result: urn };
    }
    // Whoever gives a test another name is not asked about the actions that it has already.
    if (!jsonEqual(before?.['definition'] ?? null, body['definition'] ?? null)) {
      await requireFittingActions(view, urn, input.definition.json ?? '');
    }
    return { writes: [{ urn, aspect: 'testInfo', body }], result: urn };
  },
};
