import type { Demand } from '../auth/caller.ts';
import { draftAspects } from '../command/aspect-draft.ts';
import type { Command } from '../command/command.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import { requireGroup } from './group-members.ts';

export type UpdateGroupInput = {
  readonly urn: string;
  readonly description?: string | null;
  readonly slack?: string | null;
  readonly email?: string | null;
  readonly pictureLink?: string | null;
};

const contactMembers = ['slack', 'email'] as const;
const otherMembers = ['description', 'pictureLink'] as const;

/** Changes what people set about a group; what was ingested is kept apart, and what is absent stays. Answers its URN. */
export const updateGroup: Command<UpdateGroupInput, Urn> = {
  name: 'updateCorpGroupProperties',
  demands: demandsOf,
  async decide(view, input) {
    const urn = parseUrn(input.urn);
    await requireGroup(view, urn);
    const changes = Object.fromEntries(
      [...contactMembers, ...otherMembers].flatMap((member) => {
        const text = input[member];
        return typeof text === 'string' ? [[member, text]] : [];
      }),
    );
    const draft = await draftAspects(view, [urn], ['corpGroupEditableInfo']);
    if (Object.keys(changes).length > 0) {
      draft.put(urn, 'corpGroupEditableInfo', { ...draft.body(urn, 'corpGroupEditableInfo'), ...changes });
    }
    return { writes: draft.writes(), result: urn };
  },
};

/** How to reach a group is one right, what it is said to be another. */
function demandsOf(input: UpdateGroupInput): readonly Demand[] {
  const on = parseUrn(input.urn);
  const asksFor = (members: readonly (keyof UpdateGroupInput)[]): boolean =>
    members.some((member) => typeof input[member] === 'string');
  const contact: Demand = { anyOf: ['EDIT_ENTITY', 'EDIT_CONTACT_INFO', 'MANAGE_USERS_AND_GROUPS'], on };
  const rest: Demand = { anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_DOCS', 'MANAGE_USERS_AND_GROUPS'], on };
  return [
    ...(asksFor(contactMembers) ? [contact] : []),
    ...(asksFor(otherMembers) || !asksFor(contactMembers) ? [rest] : []),
  ];
}
