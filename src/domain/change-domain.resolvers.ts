import type { Resolvers } from '../graphql/resolver.ts';
import { batchSetDomain, type BatchSetDomainInput } from './batch-set-domain.ts';
import { createDomain, type CreateDomainInput } from './create-domain.ts';
import { deleteDomain, type DeleteDomainInput } from './delete-domain.ts';
import { moveDomain, type MoveDomainInput } from './move-domain.ts';
import { setDomain, type SetDomainInput } from './set-domain.ts';
import { unsetDomain, type UnsetDomainInput } from './unset-domain.ts';

type Args<Input> = { readonly input: Input };

export const changeDomainResolvers: Resolvers = {
  Mutation: {
    createDomain: (_source, { input }: Args<CreateDomainInput>, context) =>
      context.execute(createDomain, input),
    moveDomain: (_source, { input }: Args<MoveDomainInput>, context) => context.execute(moveDomain, input),
    deleteDomain: (_source, args: DeleteDomainInput, context) => context.execute(deleteDomain, args),
    setDomain: (_source, args: SetDomainInput, context) => context.execute(setDomain, args),
    unsetDomain: (_source, args: UnsetDomainInput, context) => context.execute(unsetDomain, args),
    batchSetDomain: (_source, { input }: Args<BatchSetDomainInput>, context) =>
      context.execute(batchSetDomain, input),
  },
};
