import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { urnType } from '../urn/urn.ts';
import { demandToChange } from './glossary-entity.ts';
import { changeRelated, checkRelatedTo, parsedUrns, type RelatedTermsInput } from './related-terms.ts';

/** Says that a term is a kind of other terms (`isA`), or has them as parts (`hasA`); contract section 7.12. */
export const addRelatedTerms: Command<RelatedTermsInput, true> = {
  name: 'addRelatedTerms',
  demands(input) {
    return [demandToChange(parsedUrns(input).urn)];
  },
  async decide(view, input) {
    const { urn, terms } = parsedUrns(input);
    const existing = await view.existing([urn, ...terms]);
    checkRelatedTo(urn, existing);
    for (const term of terms) {
      const start = `Failed to update ${urn}.`;
      if (term === urn) {
        throw new PostilError('BAD_REQUEST', `${start} Tried to create related term with itself.`);
      }
      if (urnType(term) !== 'glossaryTerm') {
        throw new PostilError('BAD_REQUEST', `${start} ${term} is not a glossaryTerm.`);
      }
      if (!existing.has(term)) throw new PostilError('TERM_NOT_FOUND', `${start} ${term} does not exist.`);
    }
    const writes = await changeRelated(view, urn, input.relationshipType, (related) => {
      const known = new Set(related);
      return [...related, ...terms.filter((term) => !known.has(term))];
    });
    return { writes, result: true };
  },
};
