import type { Aspect, EntityAspects } from '../aspect/aspect.ts';
import type { Urn } from '../urn/urn.ts';

/** What of a request's context is needed to read aspects. */
export type AspectSource = {
  load(urn: Urn, aspectName: string): Aspect | undefined | Promise<Aspect | undefined>;
  loadAll(urn: Urn, aspectNames: readonly string[]): EntityAspects | Promise<EntityAspects>;
};
