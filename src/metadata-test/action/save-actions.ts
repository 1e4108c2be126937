import type { AspectReader } from '../../aspect/aspect-store.ts';
import type { Urn } from '../../urn/urn.ts';
import { refuseInvalid, requireValidDefinition } from '../require-valid.ts';
import { located } from '../located.ts';
import { actionFindings } from './check-actions.ts';
import { hasActions, readActingTests } from './test-actions.ts';

/**
 * Refuses a definition whose actions go round in a circle or against those of another test (A6, A7). To be called inside the
 * transaction that saves it, so that of two tests that are saved at the same time at most one is. Throws
 * INVALID_TEST_DEFINITION.
 */
export async function requireFittingActions(
  view: Pick<AspectReader, 'entities' | 'readMany'>,
  urn: Urn,
  text: string,
): Promise<void> {
  const definition = requireValidDefinition(text);
  if (!hasActions(definition)) return;
  const others = await readActingTests(view, { urn, text });
  refuseInvalid(located(text, actionFindings({ name: urn, definition }, others)));
}
