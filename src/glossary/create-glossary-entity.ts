import type { AspectWrite } from '../aspect/aspect.ts';
import { ownedByCreator } from '../association/owner.ts';
import type { DecisionContext } from '../command/command.ts';
import { parseUrn, type Urn } from '../urn/urn.ts';
import type { GlossaryKind } from './glossary-entity.ts';

export type CreateGlossaryEntityInput = {
  /** Becomes the key of the URN; absent or empty: a random one. */
  readonly id?: string | null;
  readonly name: string;
  readonly description?: string | null;
  /** URN of the glossary node to stand below; absent: at the root. */
  readonly parentNode?: string | null;
};

export function parentOf(input: CreateGlossaryEntityInput): Urn | undefined {
  const { parentNode } = input;
  return parentNode === null || parentNode === undefined ? undefined : parseUrn(parentNode);
}

/** A new term or node; who makes it becomes its technical owner (contract section 7.1, steps 5 and 6). */
export function writesOf(
  urn: Urn,
  kind: GlossaryKind,
  input: CreateGlossaryEntityInput,
  { caller, now }: DecisionContext,
): readonly AspectWrite[] {
  const parent = parentOf(input);
  return [
    {
      urn,
      aspect: kind.aspect,
      body: {
        definition: input.description ?? '',
        name: input.name,
        ...(kind.aspect === 'glossaryTermInfo' ? { termSource: 'INTERNAL' } : {}),
        ...(parent === undefined ? {} : { parentNode: parent }),
      },
    },
    {
      urn,
      aspect: 'ownership',
      body: ownedByCreator({ time: now, actor: caller.actor }),
    },
  ];
}
