import type { JsonObject } from '../../aspect/json.ts';
import { type AuditStampValue, optionalAuditStampIn } from '../../entity/audit-stamp.ts';
import { objectIn, objectsIn, textIn } from '../../entity/stored-member.ts';
import type { Urn } from '../../urn/urn.ts';
import type { AspectSource } from '../aspect-source.ts';
import type { LineageEdge } from '../../relationship/lineage-edges.ts';

/** Who said that an edge is there, and when. */
export type EdgeRecord = {
  readonly created: AuditStampValue | null;
  readonly updated: AuditStampValue | null;
  /** A person said so, not a program. */
  readonly isManual: boolean;
};

const unknown: EdgeRecord = { created: null, updated: null, isManual: false };

/** The aspects that hold edges of lineage, and the lists in which each edge is an object of its own. */
const edgeLists: { readonly [aspect: string]: readonly string[] } = {
  upstreamLineage: ['upstreams'],
  dataJobInputOutput: ['inputDatasetEdges', 'outputDatasetEdges', 'inputDatajobEdges'],
  dataProcessInstanceInput: ['inputEdges'],
  dataProcessInstanceOutput: ['outputEdges'],
  chartInfo: ['inputEdges'],
  dashboardInfo: ['chartEdges', 'datasetEdges', 'dashboards'],
};

/** What is noted beside an edge between two entities, one of which owns it; nothing for edges that are bare URNs. */
export async function edgeRecord(
  { urn, owner }: LineageEdge,
  self: Urn,
  source: Pick<AspectSource, 'loadAll'>,
): Promise<EdgeRecord> {
  const other = owner === self ? urn : self;
  const stored = await source.loadAll(owner, Object.keys(edgeLists));
  for (const [aspect, lists] of Object.entries(edgeLists)) {
    const body = stored.get(aspect)?.body;
    for (const list of lists) {
      const edge = objectsIn(body, list).find(
        (element) => element['destinationUrn'] === other || element['dataset'] === other,
      );
      if (edge !== undefined) return recordOf(edge);
    }
  }
  return unknown;
}

/** Upstreams of datasets have an `auditStamp` where edges have `lastModified`; a stamp of time 0 says nothing. */
function recordOf(edge: JsonObject): EdgeRecord {
  return {
    created: stampIn(edge, 'created'),
    updated: stampIn(edge, 'lastModified') ?? stampIn(edge, 'auditStamp'),
    isManual: textIn(objectIn(edge, 'properties'), 'source') === 'UI',
  };
}

function stampIn(edge: JsonObject, member: string): AuditStampValue | null {
  const stamp = optionalAuditStampIn(edge, member);
  return stamp === null || stamp.time === 0 ? null : stamp;
}
