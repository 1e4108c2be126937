import type { JsonObject, JsonValue } from '../aspect/json.ts';
import type { Demand } from '../auth/caller.ts';
import { draftAspects, type AspectDraft } from '../command/aspect-draft.ts';
import type { DecisionView } from '../command/command.ts';
import { requireAspect } from '../entity/entity-registry.ts';
import { isLinkUrl, linkUrlHint } from '../entity/link-url.ts';
import { objectsIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';

/** The related links of an entity; a link is known by its url and its label (contract section 7.13). */
const aspect = 'institutionalMemory';

export type LinkSettings = { readonly showInAssetPreview?: boolean | null };

/** The links of one entity while a command changes them. */
export type LinkMemory = {
  readonly elements: readonly JsonObject[];
  /** Replaces the whole list. */
  put(elements: readonly JsonObject[]): void;
  readonly writes: AspectDraft['writes'];
};

/** Contract section 7.13. */
export function linkDemands(resourceUrn: string): readonly Demand[] {
  return [{ anyOf: ['EDIT_ENTITY', 'EDIT_ENTITY_DOC_LINKS'], on: parseUrn(resourceUrn) }];
}

/** Throws BAD_REQUEST for what no reader should be led to. */
export function checkLinkUrl(resource: Urn, url: string): void {
  if (!isLinkUrl(url)) throw refusal('BAD_REQUEST', resource, `Expected an url. ${linkUrlHint}`);
}

/** Throws ENTITY_NOT_FOUND, and UNKNOWN_ASPECT for entities that bear no links. */
export async function readLinks(view: DecisionView, resource: Urn): Promise<LinkMemory> {
  if (!(await view.existing([resource])).has(resource)) {
    throw refusal('ENTITY_NOT_FOUND', resource, 'Resource does not exist.');
  }
  requireAspect(urnType(resource), aspect);
  const draft = await draftAspects(view, [resource], [aspect]);
  const body = draft.body(resource, aspect);
  return {
    elements: objectsIn(body, 'elements'),
    put: (elements) => draft.put(resource, aspect, { ...body, elements }),
    writes: draft.writes,
  };
}

export function isLink(element: JsonObject, url: string, label: string): boolean {
  return element['url'] === url && element['description'] === label;
}

/** The member `settings` of a link, for what a client sent. */
export function settingsMember(settings: LinkSettings | null | undefined): { readonly settings?: JsonValue } {
  const shown = settings?.showInAssetPreview;
  return typeof shown === 'boolean' ? { settings: { showInAssetPreview: shown } } : {};
}

function refusal(code: 'BAD_REQUEST' | 'ENTITY_NOT_FOUND', resource: Urn, problem: string): PostilError {
  return new PostilError(code, `Failed to change institutional memory for resource ${resource}. ${problem}`);
}
