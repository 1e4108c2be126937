import { type JsonObject, type JsonValue } from '../aspect/json.ts';
import { objectsIn } from '../entity/stored-member.ts';
import { isUrn, type Urn } from '../urn/urn.ts';
import type { ChangeCategory, ChangeEvent, ChangeOperation, SemanticChange } from './change-event.ts';

/** A body before or after a change; `undefined` where the aspect was not stored. */
export type Body = JsonObject | undefined;

/** What an aspect lists, by what tells one element from another. */
export type Listed = {
  readonly category: ChangeCategory;
  /** For sentences: `Tag`, `Glossary term`. */
  readonly noun: string;
  readonly semantic: SemanticChange;
  items(body: JsonObject): Iterable<Item>;
};

export type Item = {
  readonly key: string;
  readonly modifier: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Changes when the element is another one under the same key. */
  readonly value?: string;
};

/** URNs of a list as items; other elements are left out. */
export const referred = (list: readonly JsonValue[], parameter: string): Item[] =>
  list.flatMap((urn) => (isUrn(urn) ? [{ key: urn, modifier: urn, parameters: { [parameter]: urn } }] : []));

export const termItems = (body: JsonObject): Item[] =>
  referred(
    objectsIn(body, 'terms').map(({ urn }) => urn ?? null),
    'termUrn',
  );

export const tagItems = (body: JsonObject): Item[] =>
  referred(
    objectsIn(body, 'tags').map(({ tag }) => tag ?? null),
    'tagUrn',
  );

/** What was added, removed and modified of what an aspect lists. */
export function listEvents(urn: Urn, list: Listed, before: Body, after: Body): readonly ChangeEvent[] {
  const had = new Map([...(before === undefined ? [] : list.items(before))].map((item) => [item.key, item]));
  const has = new Map([...(after === undefined ? [] : list.items(after))].map((item) => [item.key, item]));
  const event = (item: Item, operation: ChangeOperation, verb: string): ChangeEvent => ({
    urn,
    category: list.category,
    operation,
    modifier: item.modifier,
    semantic: list.semantic,
    description: `${list.noun} ${item.modifier} ${verb} ${urn}`,
    parameters: item.parameters ?? {},
  });
  const events: ChangeEvent[] = [];
  for (const [key, item] of had) if (!has.has(key)) events.push(event(item, 'REMOVE', 'was removed from'));
  for (const [key, item] of has) {
    const earlier = had.get(key);
    if (earlier === undefined) events.push(event(item, 'ADD', 'was added to'));
    else if (earlier.value !== item.value) events.push(event(item, 'MODIFY', 'was changed on'));
  }
  return events;
}

/** What became of a description; empty texts are none. */
export function descriptionEvents(
  urn: Urn,
  before: string | null,
  after: string | null,
): readonly ChangeEvent[] {
  if (before === after) return [];
  const operation: ChangeOperation = before === null ? 'ADD' : after === null ? 'REMOVE' : 'MODIFY';
  const verb = { ADD: 'added to', REMOVE: 'removed from', MODIFY: 'changed on', CREATE: '' }[operation];
  return [
    {
      urn,
      category: 'DOCUMENTATION',
      operation,
      modifier: undefined,
      semantic: 'PATCH',
      description: `The description was ${verb} ${urn}`,
      parameters: {
        ...(before === null ? {} : { previousDescription: before }),
        ...(after === null ? {} : { description: after }),
      },
    },
  ];
}
