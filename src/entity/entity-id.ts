import { urnKey } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { keyBodyOf } from './entity-registry.ts';

/** The id of an entity whose key has one part, percent-decoded: what people call it as long as it has no name. */
export function entityId(urn: Urn): string {
  const key = urnKey(urn);
  if (!key.includes('%')) return key;
  const [id] = Object.values(keyBodyOf(urn));
  return typeof id === 'string' ? id : key;
}
