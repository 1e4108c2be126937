import type { Urn } from '../urn/urn.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Policy, Standing } from './policy.ts';
import type { Privilege } from './privilege.ts';

/** Who is calling: the owner of the token, or the system itself. */
export type Caller = {
  readonly actor: Urn;
  /** What the caller may do everywhere: by a role, or by a policy that asks for no resource. */
  readonly privileges: ReadonlySet<Privilege>;
  /** Policies that let the caller do more to some resources; absent for none. */
  readonly conditional?: ConditionalPolicies;
  /** Id of the token that authenticated the call; `undefined` for the system. */
  readonly tokenId: string | undefined;
};

/** Policies in force that may concern an actor, as what is asked for decides. */
export type ConditionalPolicies = {
  readonly standing: Standing;
  readonly policies: readonly ConditionalPolicy[];
};

export type ConditionalPolicy = {
  readonly policy: Policy;
  /** False: it concerns the actor only as an owner of the resource. */
  readonly namesActor: boolean;
};

/**
 * What a command needs: of each demand, at least one of the privileges; on the named resource, or platform-wide when
 * none is named. Declared beside the command, checked only in the write engine and the read filter.
 */
export type Demand = {
  readonly anyOf: readonly Privilege[];
  readonly on?: Urn;
  /** What else meets the demand: a privilege on another entity than the one that changes. */
  readonly or?: readonly Alternative[];
  /** What is put on or taken off, such as tags: a policy may grant for some of them only. */
  readonly about?: readonly Urn[];
};

export type Alternative = {
  readonly anyOf: readonly Privilege[];
  readonly on: Urn;
  /** Where it has to be held: on the entity (unless given), on the glossary node above it, on any node above it. */
  readonly where?: 'nodeAbove' | 'anyNodeAbove';
};

/** Contract section 7: the one text for every refusal for lack of privilege. */
export const unauthorizedMessage =
  'Unauthorized to perform this action. Please contact your DataHub administrator.';

/** Whether every demand is met by what the caller may do everywhere; what policies grant on some resources is left out. */
export function isAllowed(caller: Caller, demands: readonly Demand[]): boolean {
  return demands.every((demand) => demand.anyOf.some((privilege) => caller.privileges.has(privilege)));
}

/** Throws FORBIDDEN unless every demand is met by what the caller may do everywhere. */
export function authorize(caller: Caller, demands: readonly Demand[]): void {
  if (!isAllowed(caller, demands)) throw forbidden();
}

export function forbidden(): PostilError {
  return new PostilError('FORBIDDEN', unauthorizedMessage);
}
