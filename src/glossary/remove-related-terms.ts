import type { Command } from '../command/command.ts';
import { demandToChange } from './glossary-entity.ts';
import { changeRelated, checkRelatedTo, parsedUrns, type RelatedTermsInput } from './related-terms.ts';

/** Takes relations between terms back; what is not related is nothing to take back (decision 18). */
export const removeRelatedTerms: Command<RelatedTermsInput, true> = {
  name: 'removeRelatedTerms',
  demands(input) {
    return [demandToChange(parsedUrns(input).urn)];
  },
  async decide(view, input) {
    const { urn, terms } = parsedUrns(input);
    checkRelatedTo(urn, await view.existing([urn]));
    const removed: ReadonlySet<string> = new Set(terms);
    const writes = await changeRelated(view, urn, input.relationshipType, (related) =>
      related.filter((term) => !removed.has(term)),
    );
    return { writes, result: true };
  },
};
