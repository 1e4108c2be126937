import type { Aspect, EntityAspects } from '../aspect/aspect.ts';
import type { ImmediateReader } from '../aspect/aspect-store.ts';
import type { Urn } from '../urn/urn.ts';
import type { AspectLoader } from './aspect-loader.ts';

/**
 * The loader for a store that answers at once. There is nothing to wait for and nothing to gather, so a query is executed
 * without a single promise; everything is still read at most once per request.
 */
export function createImmediateLoader(reader: ImmediateReader): AspectLoader {
  const readUrns = new Set<Urn>();
  let loaded = new Map<Urn, Map<string, Aspect | undefined>>();
  let existence = new Map<Urn, boolean>();

  function load(urn: Urn, aspectName: string): Aspect | undefined {
    let entity = loaded.get(urn);
    if (entity === undefined) {
      entity = new Map();
      loaded.set(urn, entity);
      readUrns.add(urn);
    }
    let aspect = entity.get(aspectName);
    if (aspect === undefined && !entity.has(aspectName)) {
      aspect = reader.aspect(urn, aspectName);
      entity.set(aspectName, aspect);
    }
    return aspect;
  }

  return {
    readUrns,
    load,
    loadAll(urn, aspectNames) {
      const aspects = new Map<string, Aspect>();
      for (const name of aspectNames) {
        const aspect = load(urn, name);
        if (aspect !== undefined) aspects.set(name, aspect);
      }
      return aspects satisfies EntityAspects;
    },
    exists(urn) {
      let known = existence.get(urn);
      if (known === undefined) {
        readUrns.add(urn);
        known = reader.exists(urn);
        existence.set(urn, known);
      }
      return known;
    },
    fragment(urn, name) {
      readUrns.add(urn);
      return reader.fragment(urn, name);
    },
    clear() {
      loaded = new Map();
      existence = new Map();
    },
  };
}
