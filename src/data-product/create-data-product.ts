import { domainAssociations } from '../association/domain-associations.ts';
import { ownedByCreator } from '../association/owner.ts';
import type { Command } from '../command/command.ts';
import { checkName } from '../entity/entity-name.ts';
import { urnFromKey } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';

export type CreateDataProductInput = {
  readonly properties: { readonly name: string; readonly description?: string | null };
  readonly domainUrn: string;
  /** Becomes the key of the URN; absent or empty: a random one. */
  readonly id?: string | null;
};

/** Makes a data product in a domain; never overwrites one. Who makes it becomes its technical owner. Answers its URN. */
export const createDataProduct: Command<CreateDataProductInput, Urn> = {
  name: 'createDataProduct',
  demands: ({ domainUrn }) => [{ anyOf: ['MANAGE_DATA_PRODUCTS', 'EDIT_ENTITY'], on: parseUrn(domainUrn) }],
  async decide(view, { properties, domainUrn, id }, { caller, now, newId }) {
    const domain = parseUrn(domainUrn);
    const { name, description } = properties;
    checkName(name);
    const urn = urnFromKey('dataProduct', {
      id: id === null || id === undefined || id === '' ? newId() : id,
    });
    const existing = await view.existing([urn, domain]);
    if (urnType(domain) !== 'domain' || !existing.has(domain)) {
      throw new PostilError(
        'ENTITY_NOT_FOUND',
        `Failed to create ${urn}. The domain ${domain} does not exist.`,
      );
    }
    if (existing.has(urn)) {
      throw new PostilError('ALREADY_EXISTS', `This Data Product already exists! (${urn})`);
    }
    const isDescribed = description !== null && description !== undefined;
    return {
      writes: [
        { urn, aspect: 'dataProductProperties', body: { name, ...(isDescribed ? { description } : {}) } },
        {
          urn,
          aspect: 'domains',
          body: { domains: [domain], domainAssociations: domainAssociations([domain], undefined) },
        },
        { urn, aspect: 'ownership', body: ownedByCreator({ time: now, actor: caller.actor }) },
      ],
      result: urn,
    };
  },
};
