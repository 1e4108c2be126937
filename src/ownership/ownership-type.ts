import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';

/** What every catalogue knows from the beginning (contract section 5); they may be named before they are stored. */
const systemTypes: ReadonlySet<string> = new Set([
  'urn:li:ownershipType:__system__technical_owner',
  'urn:li:ownershipType:__system__business_owner',
  'urn:li:ownershipType:__system__data_steward',
  'urn:li:ownershipType:__system__none',
]);

export function isSystemType(ownershipType: Urn): boolean {
  return systemTypes.has(ownershipType);
}

/** The URN of an ownership type, stored or not. Throws INVALID_URN, and BAD_REQUEST for the URN of anything else. */
export function ownershipTypeUrn(text: string): Urn {
  const urn = parseUrn(text);
  if (urnType(urn) === 'ownershipType') return urn;
  throw new PostilError(
    'BAD_REQUEST',
    `${urn} is no ownership type. Send a urn that starts with urn:li:ownershipType:.`,
  );
}
