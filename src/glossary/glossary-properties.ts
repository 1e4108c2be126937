import type { JsonObject } from '../aspect/json.ts';
import { filledTextIn, textIn } from '../entity/stored-member.ts';
import { entityId } from '../entity/entity-id.ts';
import type { Urn } from '../urn/urn.ts';

/** The GraphQL type `GlossaryTermInfo`; `body` is kept for members that are made when asked for. */
export type GlossaryTermInfo = {
  readonly urn: Urn;
  readonly body: JsonObject;
  readonly name: string | null;
  readonly description: string | null;
  readonly definition: string;
  readonly termSource: string;
  readonly sourceRef: string | null;
  readonly sourceUrl: string | null;
  readonly rawSchema: string | null;
};

/** What `glossaryTermInfo` says (contract section 10.3, decision 20); the name is null when the aspect has none. */
export function glossaryTermInfo(body: JsonObject, urn: Urn): GlossaryTermInfo {
  const definition = textIn(body, 'definition');
  return {
    urn,
    body,
    name: textIn(body, 'name'),
    description: definition,
    definition: definition ?? '',
    termSource: filledTextIn(body, 'termSource') ?? 'INTERNAL',
    sourceRef: textIn(body, 'sourceRef'),
    sourceUrl: textIn(body, 'sourceUrl'),
    rawSchema: textIn(body, 'rawSchema'),
  };
}

/** The GraphQL type `GlossaryTermProperties`: the same, but the name falls back to the id. */
export function glossaryTermProperties(
  body: JsonObject,
  urn: Urn,
): GlossaryTermInfo & { readonly name: string } {
  const info = glossaryTermInfo(body, urn);
  return { ...info, name: info.name ?? entityId(urn) };
}

/** The GraphQL type `GlossaryNodeProperties`. */
export type GlossaryNodeProperties = {
  readonly urn: Urn;
  readonly body: JsonObject;
  readonly name: string;
  readonly description: string | null;
};

/** What `glossaryNodeInfo` says; the name falls back to the id. */
export function glossaryNodeProperties(body: JsonObject, urn: Urn): GlossaryNodeProperties {
  return {
    urn,
    body,
    name: textIn(body, 'name') ?? entityId(urn),
    description: textIn(body, 'definition'),
  };
}

/** `GlossaryTerm.name`: the last part of the id, where dots separate parts (contract section 5). */
export function lastPartOfId(urn: Urn): string {
  const id = entityId(urn);
  const part = id.substring(id.lastIndexOf('.') + 1);
  return part === '' ? id : part;
}
