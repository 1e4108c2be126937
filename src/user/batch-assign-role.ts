import { isRole } from '../auth/privilege.ts';
import type { Command } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnKey, urnType, type Urn } from '../urn/urn.ts';

export type BatchAssignRoleInput = {
  readonly roleUrn?: string | null;
  readonly actors: readonly string[];
};

const actorTypes: ReadonlySet<string> = new Set(['corpuser', 'corpGroup']);

/**
 * Gives users and groups a role in the place of those they had, or takes it away, all or nothing. The built-in roles exist
 * in every catalogue. Whoever may assign roles can give themselves every right, so it is a matter of policies.
 */
export const batchAssignRole: Command<BatchAssignRoleInput, true> = {
  name: 'batchAssignRole',
  demands({ roleUrn, actors }) {
    for (const urn of [...actors, ...(typeof roleUrn === 'string' ? [roleUrn] : [])]) parseUrn(urn);
    return [{ anyOf: ['MANAGE_POLICIES'] }];
  },
  async decide(view, { roleUrn, actors }) {
    const role = typeof roleUrn === 'string' ? parseUrn(roleUrn) : undefined;
    const urns = [...new Set(actors.map(parseUrn))];
    const existing = await view.existing(role === undefined ? urns : [role, ...urns]);
    if (role !== undefined && !isKnownRole(role, existing)) {
      throw new PostilError(
        'ENTITY_NOT_FOUND',
        `Failed to assign a role. The role ${role} does not exist; see listRoles.`,
      );
    }
    for (const urn of urns) {
      if (actorTypes.has(urnType(urn)) && existing.has(urn)) continue;
      throw new PostilError(
        'ENTITY_NOT_FOUND',
        `Failed to assign a role. The user or group ${urn} does not exist.`,
      );
    }
    const roles = role === undefined ? [] : [role];
    const stored = await view.readMany(urns, ['roleMembership']);
    // Who never had a role does not get an empty list of them.
    const changed =
      role === undefined ? urns.filter((urn) => stored.get(urn)?.has('roleMembership') === true) : urns;
    return {
      writes: changed.map((urn) => ({ urn, aspect: 'roleMembership', body: { roles } })),
      result: true,
    };
  },
};

function isKnownRole(role: Urn, existing: ReadonlySet<Urn>): boolean {
  return urnType(role) === 'dataHubRole' && (existing.has(role) || isRole(urnKey(role)));
}
