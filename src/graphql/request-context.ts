import type { Aspect, EntityAspects } from '../aspect/aspect.ts';
import type { AspectReader, ImmediateReader } from '../aspect/aspect-store.ts';
import type { Caller } from '../auth/caller.ts';
import type { Command, Execute } from '../command/command.ts';
import type { Urn } from '../urn/urn.ts';
import { createAspectLoader, type MaybeLater } from './aspect-loader.ts';
import { createImmediateLoader } from './immediate-loader.ts';

/**
 * What slices need beyond aspects and commands. Empty here; a slice adds a member by declaration
 * (`declare module '../graphql/request-context.ts' { interface RequestServices { readonly tokens: TokenStore } }`), and the
 * compiler then asks the composition root for it.
 */
// oxlint-disable-next-line typescript/no-empty-interface -- An interface, because only interfaces can be added to.
export interface RequestServices {}

/** What resolvers may use; one per request. */
export type RequestContext = {
  readonly caller: Caller;
  /** For what the loader does not cover (lists, relationships, old versions); fields that use it are volatile. */
  readonly reader: AspectReader;
  readonly services: RequestServices;
  /** Every URN that was read through the loader in this request; an answer may be kept until one of them changes. */
  readonly readUrns: ReadonlySet<Urn>;
  /** Milliseconds since the Unix epoch; fields that use it are volatile. */
  now(): number;
  /** The latest version of one aspect. Loads that are asked for together are read together, and once per request. */
  load(urn: Urn, aspectName: string): MaybeLater<Aspect | undefined>;
  /** The same for several aspects of one entity; the answer may hold others as well. */
  loadAll(urn: Urn, aspectNames: readonly string[]): MaybeLater<EntityAspects>;
  /** Whether the entity exists (contract section 6); batched and kept like `load`. */
  exists(urn: Urn): MaybeLater<boolean>;
  /** A pre-serialised piece of an answer. */
  fragment(urn: Urn, name: string): MaybeLater<string | undefined>;
  /** Executes a command for the caller; what was loaded before is forgotten. */
  execute<Input, Result>(command: Command<Input, Result>, input: Input): Promise<Result>;
};

export type RequestContextParts = {
  readonly caller: Caller;
  readonly reader: AspectReader;
  /** Where the store has one; what is loaded is then there at once. */
  readonly immediate?: ImmediateReader | undefined;
  readonly execute: Execute;
  readonly now: () => number;
  readonly services: RequestServices;
};

export function createRequestContext(parts: RequestContextParts): RequestContext {
  const { caller, reader, now, services } = parts;
  const loader =
    parts.immediate === undefined ? createAspectLoader(reader) : createImmediateLoader(parts.immediate);
  return {
    caller,
    reader,
    services,
    now,
    readUrns: loader.readUrns,
    load: loader.load,
    loadAll: loader.loadAll,
    exists: loader.exists,
    fragment: loader.fragment,
    async execute(command, input) {
      try {
        return await parts.execute(command, input, caller);
      } finally {
        loader.clear();
      }
    },
  };
}
