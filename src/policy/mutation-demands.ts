import type { Demand } from '../auth/caller.ts';
import { asChild, belowNode } from '../auth/glossary-alternatives.ts';
import { type Privilege, privilegeNamed } from '../auth/privilege.ts';
import { PostilError } from '../errors/postil-error.ts';
import { type Urn, urnType } from '../urn/urn.ts';
import privilegesByMutation from './mutation-privileges.json' with { type: 'json' };

const byMutation: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(privilegesByMutation));

/**
 * What a mutation demands: one demand, met by any of the privileges that let it through by themselves. The list is measured
 * from the mutations, not written (test/privilege-matrix.test.ts). Throws BAD_REQUEST for a mutation that is not known.
 */
export function demandsOfMutation(name: string, on: Urn | undefined): readonly Demand[] {
  const names = byMutation.get(name);
  if (names === undefined) throw new PostilError('BAD_REQUEST', `There is no mutation ${name}`);
  const anyOf = names
    .map(privilegeNamed)
    .filter((privilege): privilege is Privilege => privilege !== undefined);
  if (on === undefined) return [{ anyOf }];
  const isCreated = name === 'createGlossaryTerm' || name === 'createGlossaryNode';
  const isOfGlossary =
    anyOf.includes('MANAGE_GLOSSARIES') && ['glossaryTerm', 'glossaryNode'].includes(urnType(on));
  if (!isOfGlossary) return [{ anyOf, on }];
  return [{ anyOf, on, or: isCreated ? belowNode(on) : asChild(on) }];
}
