import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { formatUrn, parseUrn } from '../urn/urn.ts';
import { requireFittingActions } from './action/save-actions.ts';
import { testInfoOf, type TestInput } from './test-entity.ts';

export type CreateTestInput = TestInput & { readonly id?: string | null };

/** Contract section 7.18. Never overwrites; without an id the test gets a new one. Answers the URN. */
export const createTest: Command<CreateTestInput, string> = {
  name: 'createTest',
  demands: () => [{ anyOf: ['MANAGE_TESTS'] }],
  async decide(view, input, { now, newId }) {
    const id = input.id ?? newId();
    if (id.trim() === '') throw new PostilError('BAD_REQUEST', 'The id of a test must not be blank');
    const urn = parseUrn(formatUrn('test', [id]));
    if ((await view.existing([urn])).has(urn)) {
      throw new PostilError('ALREADY_EXISTS', 'This Test already exists!');
    }
    const body = testInfoOf(input, now);
    await requireFittingActions(view, urn, input.definition.json ?? '');
    return { writes: [{ urn, aspect: 'testInfo', body }], result: urn };
  },
};
