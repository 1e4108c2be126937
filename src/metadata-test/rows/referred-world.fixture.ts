import type { JsonObject } from '../../aspect/json.ts';

/* What random entities and definitions are about: few URNs and texts, so that tests often find what they ask for. */

export const tags = [
  'urn:li:tag:PII',
  'urn:li:tag:Tier1',
  'urn:li:tag:a%20b',
  'urn:li:tag:a b',
  'urn:li:tag:gone',
];
export const terms = ['Email', 'Phone', 'Lonely', 'Removed', 'Nowhere'].map(
  (name) => `urn:li:glossaryTerm:${name}`,
);
export const nodes = ['Root', 'Personal', 'Contact', 'CycleA', 'CycleB'].map(
  (name) => `urn:li:glossaryNode:${name}`,
);
export const domains = ['corp', 'finance', 'tax', 'gone'].map((name) => `urn:li:domain:${name}`);
export const containers = ['db', 'schema', 'sandbox', 'gone'].map((name) => `urn:li:container:${name}`);
export const owners = [
  'urn:li:corpuser:ana',
  'urn:li:corpuser:ben',
  'urn:li:corpuser:a%2Cb',
  'urn:li:corpuser:a,b',
  'urn:li:corpGroup:finance',
];
export const ownershipTypes = ['__system__technical_owner', '__system__business_owner', 'steward'].map(
  (name) => `urn:li:ownershipType:${name}`,
);
export const legacyTypes = ['TECHNICAL_OWNER', 'BUSINESS_OWNER', 'DATAOWNER'];
export const platforms = ['snowflake', 'kafka', 'my%20platform'].map((name) => `urn:li:dataPlatform:${name}`);
export const instances = platforms.map((platform) => `urn:li:dataPlatformInstance:(${platform},one)`);
export const properties = ['retention', 'io.example.cost'].map((name) => `urn:li:structuredProperty:${name}`);
export const upstreams = ['fresh', 'old', 'gone'].map(
  (name) => `urn:li:dataset:(urn:li:dataPlatform:kafka,${name},PROD)`,
);

/** Entities that others refer to. What is called `gone` does not exist. */
export const referredWorld: Readonly<Record<string, JsonObject>> = {
  'urn:li:tag:PII': {
    tagProperties: { name: 'PII', description: 'Personal' },
    ...ownedBy('urn:li:corpuser:ana'),
  },
  'urn:li:tag:Tier1': { tagProperties: { name: 'Tier1' }, deprecation: deprecationOf(true) },
  'urn:li:tag:a b': { tagProperties: { name: 'a b' } },
  'urn:li:tag:a%20b': { status: { removed: true } },
  'urn:li:glossaryTerm:Email': termOf('Email', 'urn:li:glossaryNode:Contact'),
  'urn:li:glossaryTerm:Phone': termOf('Phone', 'urn:li:glossaryNode:CycleA'),
  'urn:li:glossaryTerm:Lonely': { ...termOf('Lonely'), domains: { domains: ['urn:li:domain:tax'] } },
  'urn:li:glossaryTerm:Removed': {
    ...termOf('Removed', 'urn:li:glossaryNode:Contact'),
    status: { removed: true },
  },
  'urn:li:glossaryNode:Root': { glossaryNodeInfo: { name: 'Root', definition: 'All' } },
  'urn:li:glossaryNode:Personal': nodeOf('urn:li:glossaryNode:Root'),
  'urn:li:glossaryNode:Contact': nodeOf('urn:li:glossaryNode:Personal'),
  'urn:li:glossaryNode:CycleA': nodeOf('urn:li:glossaryNode:CycleB'),
  'urn:li:glossaryNode:CycleB': nodeOf('urn:li:glossaryNode:CycleA'),
  'urn:li:domain:corp': { domainProperties: { name: 'Corp' } },
  'urn:li:domain:finance': { domainProperties: { name: 'Finance', parentDomain: 'urn:li:domain:corp' } },
  'urn:li:domain:tax': {
    domainProperties: { name: 'Tax', parentDomain: 'urn:li:domain:finance' },
    ...ownedBy('urn:li:corpuser:ben'),
  },
  'urn:li:container:db': {
    containerProperties: { name: 'db' },
    glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:Email' }], auditStamp: stamp() },
    ...ownedBy('urn:li:corpuser:ana'),
  },
  'urn:li:container:schema': {
    containerProperties: { name: 'schema' },
    container: { container: 'urn:li:container:db' },
    globalTags: { tags: [{ tag: 'urn:li:tag:PII' }] },
    domains: { domains: ['urn:li:domain:finance'] },
  },
  'urn:li:container:sandbox': { containerProperties: { name: 'sandbox' }, status: { removed: true } },
  'urn:li:corpuser:ana': { corpUserInfo: { active: true, displayName: 'Ana' } },
  'urn:li:corpuser:ben': { corpUserInfo: { active: false, displayName: 'Ben' } },
  'urn:li:corpuser:a,b': { corpUserInfo: { active: true } },
  'urn:li:corpGroup:finance': { corpGroupInfo: { displayName: 'Finance' } },
  [upstreams[0] ?? '']: { status: { removed: false }, globalTags: { tags: [{ tag: 'urn:li:tag:PII' }] } },
  [upstreams[1] ?? '']: { deprecation: deprecationOf(true) },
};

function ownedBy(owner: string): JsonObject {
  return { ownership: { owners: [{ owner, type: 'DATAOWNER' }] } };
}

function termOf(name: string, parentNode?: string): JsonObject {
  const info = { name, definition: name, termSource: 'INTERNAL' };
  return { glossaryTermInfo: parentNode === undefined ? info : { ...info, parentNode } };
}

function nodeOf(parentNode: string): JsonObject {
  return { glossaryNodeInfo: { name: 'Node', definition: 'A group', parentNode } };
}

function deprecationOf(deprecated: boolean): JsonObject {
  return { deprecated, note: '', actor: 'urn:li:corpuser:ana' };
}

export function stamp(): JsonObject {
  return { time: 7, actor: 'urn:li:corpuser:ana' };
}
