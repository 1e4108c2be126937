import type { AspectReader } from '../aspect/aspect-store.ts';
import { isUrn, type Urn } from '../urn/urn.ts';
import { type Findings, report } from './issue.ts';
import type { Finding } from './issue.ts';
import { leavesOf, predicatesOf, type TestDefinition } from './predicate.ts';

/** References that are looked up; a definition with more is told of those among the first only. */
const maxLookups = 1_000;

/**
 * Warns of URNs in operands and actions that nothing is stored for, or that are soft-deleted (MT208). One call, however many
 * there are.
 */
export async function unknownReferences(
  definition: TestDefinition,
  reader: Pick<AspectReader, 'existing' | 'readMany'>,
): Promise<readonly Finding[]> {
  const places = new Map<Urn, string>();
  const add = (text: string | number, pointer: string): void => {
    if (typeof text === 'string' && isUrn(text) && !places.has(text) && places.size < maxLookups) {
      places.set(text, pointer);
    }
  };
  for (const predicate of predicatesOf(definition)) {
    for (const leaf of leavesOf(predicate)) {
      if (leaf.path.valueType !== 'urn') continue;
      for (const operand of leaf.operands) add(operand, leaf.pointer);
    }
  }
  for (const [list, actions] of Object.entries(definition.actions)) {
    for (const [index, action] of actions.entries()) {
      for (const value of action.values) add(value, `/actions/${list}/${index}`);
    }
  }
  const urns = [...places.keys()];
  if (urns.length === 0) return [];
  const [existing, aspects] = await Promise.all([reader.existing(urns), reader.readMany(urns, ['status'])]);
  const findings: Findings = { issues: [], notes: [], extensions: new Set() };
  for (const [urn, pointer] of places) {
    const isRemoved = aspects.get(urn)?.get('status')?.body['removed'] === true;
    if (existing.has(urn) && !isRemoved) continue;
    const what = existing.has(urn) ? `'${urn}' is soft-deleted.` : `There is no '${urn}'.`;
    report(findings, 'MT208', pointer, what);
  }
  return findings.issues;
}
