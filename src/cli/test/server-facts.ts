import { Aspect, type AuditStamp, type EntityAspects } from '../../aspect/aspect.ts';
import type { JsonObject } from '../../aspect/json.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { FactSource } from '../../metadata-test/facts.ts';
import type { Urn } from '../../urn/urn.ts';
import { requestGraphql } from '../request-graphql.ts';
import { requestRest } from './request-rest.ts';

type WireEntity = {
  readonly aspects: Readonly<
    Record<
      string,
      { readonly value: JsonObject; readonly created?: AuditStamp; readonly systemMetadata?: JsonObject }
    >
  >;
};

/** Requests that are under way at once. */
const parallelMax = 8;

/** Facts about the entities of a server, an entity at a time: for single entities, not for whole catalogues. */
export function serverFacts(server: string, token: string): FactSource {
  async function aspectsOf(urn: Urn, names: readonly string[] | undefined): Promise<EntityAspects> {
    const path = `/entitiesV2/${encodeURIComponent(urn)}`;
    const { aspects } = await requestRest<WireEntity>(server, token, { method: 'GET', path });
    return new Map(
      Object.entries(aspects)
        .filter(([name]) => names?.includes(name) ?? true)
        .map(([name, { value, created, systemMetadata }]) => {
          const stamp = created ?? { time: 0, actor: 'urn:li:corpuser:unknown' };
          const system = systemMetadata === undefined ? null : JSON.stringify(systemMetadata);
          return [name, new Aspect(name, 1, JSON.stringify(value), stamp, system, value)];
        }),
    );
  }

  const exists = async (urn: Urn): Promise<boolean> => {
    const query = 'query ($urn: String!) { entityExists(urn: $urn) }';
    return (await requestGraphql<{ readonly entityExists: boolean }>(server, token, query, { urn }))
      .entityExists;
  };

  return {
    readMany: async (urns, names) =>
      new Map(await forEach(urns, async (urn) => [urn, await aspectsOf(urn, names)] as const)),
    async existing(urns) {
      const found = await forEach(urns, async (urn) => ({ urn, isThere: await exists(urn) }));
      return new Set(found.filter(({ isThere }) => isThere).map(({ urn }) => urn));
    },
    relationships: () => {
      const message = 'What is downstream of an entity can be frozen from a store only (--store).';
      return Promise.reject(new PostilError('BAD_REQUEST', message));
    },
  };
}

async function forEach<Answer>(urns: readonly Urn[], work: (urn: Urn) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let start = 0; start < urns.length; start += parallelMax) {
    answers.push(...(await Promise.all(urns.slice(start, start + parallelMax).map(work))));
  }
  return answers;
}
