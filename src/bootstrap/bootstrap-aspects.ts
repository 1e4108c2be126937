import { firstAdministrator, rootUserInfo } from '../access-token/prepare-first-administrator.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { Role } from '../auth/privilege.ts';
import { systemCaller } from '../auth/system-caller.ts';
import { entityTypes, urnFromKey } from '../entity/entity-registry.ts';
import { defaultPolicies } from '../policy/default-policies.ts';
import { urnOfEntityType, urnOfValueType, valueTypes } from '../structured-property/value-type.ts';
import { formatUrn, urnKey, type Urn } from '../urn/urn.ts';
import { dataPlatforms } from './data-platforms.ts';

export type BootstrapAspect = {
  readonly urn: Urn;
  readonly aspect: string;
  readonly body: JsonObject;
  /** The first version of the bootstrap that has it. */
  readonly since: number;
};

const roles: readonly (readonly [role: Role, description: string])[] = [
  ['Admin', 'Can do everything.'],
  ['Editor', 'Can change all metadata, and cannot manage who may do what.'],
  ['Reader', 'Can read all metadata.'],
];

const ownershipTypes: readonly (readonly [id: string, name: string, description: string])[] = [
  ['technical_owner', 'Technical Owner', 'Makes, keeps up or hands on the asset.'],
  ['business_owner', 'Business Owner', 'Answers for what the asset is for, or knows it best.'],
  ['data_steward', 'Data Steward', 'Looks after the governance of the asset.'],
  ['none', 'None', 'In no way that was said.'],
];

/** What a catalogue has from the beginning, because clients and DataHub's own tests count on it (wire 8.1). */
export function bootstrapAspects(now: number): readonly BootstrapAspect[] {
  return firstVersion(now).map((each) => ({ ...each, since: 1 }));
}

function firstVersion(now: number): readonly Omit<BootstrapAspect, 'since'>[] {
  const stamp = { time: now, actor: systemCaller.actor };
  return [
    { urn: firstAdministrator, aspect: 'corpUserInfo', body: rootUserInfo },
    {
      urn: systemCaller.actor,
      aspect: 'corpUserInfo',
      body: { active: true, displayName: 'System', title: 'The catalogue itself', system: true },
    },
    ...roles.map(([role, description]) => ({
      urn: formatUrn('dataHubRole', [role]),
      aspect: 'dataHubRoleInfo',
      body: { name: role, description, editable: false },
    })),
    ...defaultPolicies.map(({ urn, info }) => ({ urn, aspect: 'dataHubPolicyInfo', body: info })),
    ...dataPlatforms.map(([id, displayName, type, datasetNameDelimiter]) => ({
      urn: urnFromKey('dataPlatform', { platformName: id }),
      aspect: 'dataPlatformInfo',
      body: { name: id, displayName, type, datasetNameDelimiter },
    })),
    ...ownershipTypes.map(([id, name, description]) => ({
      urn: formatUrn('ownershipType', [`__system__${id}`]),
      aspect: 'ownershipTypeInfo',
      body: { name, description, created: stamp, lastModified: stamp },
    })),
    ...valueTypes.map((type) => {
      const urn = urnOfValueType(type);
      const { displayName, description } = type;
      return { urn, aspect: 'dataTypeInfo', body: { qualifiedName: urnKey(urn), displayName, description } };
    }),
    ...entityTypes().map(({ name }) => {
      const urn = urnOfEntityType(name);
      return { urn, aspect: 'entityTypeInfo', body: { qualifiedName: urnKey(urn), displayName: name } };
    }),
  ];
}
