import type { JsonObject } from '../aspect/json.ts';
import { isUrn, urnParts, type Urn } from '../urn/urn.ts';
import type { EntityType } from './entity-registry.ts';

/**
 * What a new entity has besides its key when whoever writes it says nothing else: the platform that its URN names, for
 * types that can have one (wire 5.2). Metadata tests and clients ask for it by this name.
 */
export function defaultAspectsOf(type: EntityType, urn: Urn): readonly (readonly [string, JsonObject])[] {
  if (!type.aspects.has('dataPlatformInstance')) return none;
  const at = type.keyFields.findIndex(({ name }) => name === 'platform');
  const platform = at < 0 ? undefined : urnParts(urn)[at];
  return isUrn(platform) ? [['dataPlatformInstance', { platform }]] : none;
}

const none: readonly (readonly [string, JsonObject])[] = [];
