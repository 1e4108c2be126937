import type { Urn } from '../urn/urn.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Privilege } from './privilege.ts';

/** Who is calling: the owner of the token, or the system itself. */
export type Caller = {
  readonly actor: Urn;
  readonly privileges: ReadonlySet<Privilege>;
  /** Id of the token that authenticated the call; `undefined` for the system. */
  readonly tokenId: string | undefined;
};

/**
 * What a command needs: of each demand, at least one of the privileges; on the named resource, or platform-wide when
 * none is named. Declared beside the command, checked only in the write engine and the read filter.
 */
export type Demand = {
  readonly anyOf: readonly Privilege[];
  readonly on?: Urn;
};

/** Contract section 7: the one text for every refusal for lack of privilege. */
export const unauthorizedMessage =
  'Unauthorized to perform this action. Please contact your DataHub administrator.';

export function isAllowed(caller: Caller, demands: readonly Demand[]): boolean {
  return demands.every((demand) => demand.anyOf.some((privilege) => caller.privileges.has(privilege)));
}

/** Throws FORBIDDEN unless every demand is met. */
export function authorize(caller: Caller, demands: readonly Demand[]): void {
  if (!isAllowed(caller, demands)) throw new PostilError('FORBIDDEN', unauthorizedMessage);
}
