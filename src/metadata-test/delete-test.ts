import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseTestUrn } from './test-entity.ts';

/**
 * Contract section 7.18: removes the test. Results that name it stay until the next evaluation of their entity; there its
 * test reads as null (contract section 7.18, `Dataset.testResults`).
 */
export const deleteTest: Command<{ readonly urn: string }, boolean> = {
  name: 'deleteTest',
  demands: () => [{ anyOf: ['MANAGE_TESTS'] }],
  async decide(view, { urn: text }) {
    const urn = parseTestUrn(text);
    if (!(await view.existing([urn])).has(urn)) {
      throw new PostilError('ENTITY_NOT_FOUND', `Failed to delete ${urn}. ${urn} does not exist.`);
    }
    return { writes: [{ urn, aspect: 'testKey', body: undefined }], result: true };
  },
};
