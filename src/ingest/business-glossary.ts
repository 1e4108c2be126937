import type { JsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import { isUrn, parseUrn } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { glossaryUrn } from './glossary-urn.ts';
import { readOwnership } from './glossary-owners.ts';
import type { SourceRecord } from './ingest-run.ts';
import type { Proposal } from './proposal.ts';
import type { RecordFile } from './record-file.ts';
import { parseYaml, YamlMapReader } from './yaml-node.ts';
import type { YamlDocument } from './yaml-node.ts';

const glossaryMembers = ['version', 'source', 'owners', 'url', 'source_type', 'nodes', 'terms'];
const sharedMembers = ['id', 'name', 'description', 'owners', 'knowledge_links', 'custom_properties'];
/** How the file names the relations of a term, and how `glossaryRelatedTerms` does. */
const relations = {
  inherits: 'isRelatedTerms',
  contains: 'hasRelatedTerms',
  values: 'values',
  related_terms: 'relatedTerms',
} as const;
const nodeMembers = [...sharedMembers, 'terms', 'nodes'];
const termMembers = [
  ...sharedMembers,
  ...Object.keys(relations),
  'term_source',
  'source_ref',
  'source_url',
  'domain',
];

/** Files are read whole, so they have an end; the largest known glossaries have some megabytes. */
const glossaryBytesMax = 64 * 1024 * 1024;
const depthMax = 100;
const entitiesMax = 100_000;

export type GlossaryOptions = {
  /** DataHub's `enable_auto_id`: GUIDs instead of readable URNs for whatever has no id. */
  readonly makesGuids?: boolean;
};

/** A term or node of the file, before its content is read. */
type Entry = {
  readonly kind: 'glossaryTerm' | 'glossaryNode';
  readonly reader: YamlMapReader;
  readonly urn: Urn;
  readonly parent: Urn | undefined;
  /** As inherited from above; its own go before. */
  readonly ownership: JsonObject | undefined;
};

type Glossary = {
  readonly file: RecordFile;
  readonly document: YamlDocument;
  readonly root: YamlMapReader;
  readonly makesGuids: boolean;
  readonly records: (Entry | { readonly line: number; readonly error: PostilError })[];
  /** Terms by the names from the root down, joined by dots: so the file refers to them. */
  readonly termsByPath: Map<string, Urn>;
  readonly lineOfUrn: Map<Urn, number>;
};

/**
 * The terms and nodes of a business glossary file in DataHub's format, version 1: one record each, whose place is a line.
 * A term or node that is wrong carries its error, and the others go on; a file that is no glossary is one record with an
 * error. Terms that the file refers to need not stand in it.
 */
export async function* readGlossaryRecords(
  file: RecordFile,
  options: GlossaryOptions = {},
): AsyncGenerator<SourceRecord> {
  let number = 0;
  try {
    const glossary = openGlossary(file, await textOf(file), options.makesGuids === true);
    for (const record of glossary.records) {
      number += 1;
      yield 'error' in record
        ? problemRecord(file, number, record.error, record.line)
        : entryRecord(glossary, record, number);
    }
  } catch (error) {
    if (!(error instanceof PostilError)) throw error;
    yield problemRecord(file, number + 1, error);
  }
}

function openGlossary(file: RecordFile, text: string, makesGuids: boolean): Glossary {
  const document = parseYaml(text);
  const root = new YamlMapReader(document, document.root, 'the glossary', glossaryMembers);
  const version = root.requiredText('version');
  if (version !== '1') throw root.mistake(`the glossary has version ${version}; only version 1 can be read`);
  const glossary: Glossary = {
    file,
    document,
    root,
    makesGuids,
    records: [],
    termsByPath: new Map(),
    lineOfUrn: new Map(),
  };
  collect(glossary, root, [], undefined, readOwnership(document, root));
  return glossary;
}

/** Finds terms and nodes, outer before inner, nodes before terms, as DataHub lists them. */
function collect(
  glossary: Glossary,
  parent: YamlMapReader,
  path: readonly string[],
  parentUrn: Urn | undefined,
  ownership: JsonObject | undefined,
): void {
  if (path.length > depthMax) throw parent.mistake(`nodes are nested more than ${depthMax} deep`);
  const { document } = glossary;
  const each = (member: 'nodes' | 'terms', add: (node: unknown) => void): void => {
    for (const node of parent.list(member) ?? []) {
      try {
        add(node);
      } catch (error) {
        if (!(error instanceof PostilError)) throw error;
        glossary.records.push({ line: document.lineOf(node), error });
      }
    }
  };
  each('nodes', (node) => {
    const reader = new YamlMapReader(document, node, 'the node', nodeMembers);
    const inner = [...path, reader.requiredText('name')];
    const own = readOwnership(document, reader) ?? ownership;
    const urn = addEntry(glossary, 'glossaryNode', reader, inner, parentUrn, own);
    collect(glossary, reader, inner, urn, own);
  });
  each('terms', (node) => {
    const reader = new YamlMapReader(document, node, 'the term', termMembers);
    const inner = [...path, reader.requiredText('name')];
    const own = readOwnership(document, reader) ?? ownership;
    glossary.termsByPath.set(
      inner.join('.'),
      addEntry(glossary, 'glossaryTerm', reader, inner, parentUrn, own),
    );
  });
}

function addEntry(
  glossary: Glossary,
  kind: Entry['kind'],
  reader: YamlMapReader,
  path: readonly string[],
  parent: Urn | undefined,
  ownership: JsonObject | undefined,
): Urn {
  const urn = glossaryUrn(kind, path, reader.text('id'), glossary.makesGuids);
  const line = glossary.lineOfUrn.get(urn);
  if (line !== undefined)
    throw reader.mistake(`${reader.what} has the URN ${urn} of the one in line ${line}; give it an id`);
  if (glossary.records.length >= entitiesMax)
    throw reader.mistake(`the file has more than ${entitiesMax} terms and nodes`);
  glossary.lineOfUrn.set(urn, reader.line);
  glossary.records.push({ kind, reader, urn, parent, ownership });
  return urn;
}

function entryRecord(glossary: Glossary, entry: Entry, number: number): SourceRecord {
  const { file } = glossary;
  try {
    const proposals = proposalsOf(glossary, entry);
    const bytes = JSON.stringify(proposals).length;
    return { file: file.name, number, place: `line ${entry.reader.line}`, bytes, proposals };
  } catch (error) {
    if (!(error instanceof PostilError)) throw error;
    return problemRecord(file, number, error, entry.reader.line);
  }
}

function proposalsOf(
  glossary: Glossary,
  { kind, reader, urn, parent, ownership }: Entry,
): readonly Proposal[] {
  const isTerm = kind === 'glossaryTerm';
  const aspects: readonly (readonly [string, JsonObject | undefined])[] = [
    isTerm
      ? ['glossaryTermInfo', termInfo(glossary, reader, parent)]
      : ['glossaryNodeInfo', nodeInfo(reader, parent)],
    ['glossaryRelatedTerms', isTerm ? relatedTerms(glossary, reader) : undefined],
    ['ownership', ownership],
    ['domains', isTerm ? domainsOf(reader) : undefined],
    ['institutionalMemory', linksOf(glossary, reader)],
    ['status', { removed: false }],
  ];
  return aspects.flatMap(([aspect, body]): readonly Proposal[] =>
    body === undefined ? [] : [{ urn, aspect, changeType: 'UPSERT', body }],
  );
}

function nodeInfo(reader: YamlMapReader, parent: Urn | undefined): JsonObject {
  return {
    customProperties: reader.textMap('custom_properties') ?? {},
    definition: reader.requiredText('description'),
    ...(parent === undefined ? {} : { parentNode: parent }),
    name: reader.requiredText('name'),
  };
}

function termInfo({ root }: Glossary, reader: YamlMapReader, parent: Urn | undefined): JsonObject {
  const sourceRef = reader.text('source_ref') ?? root.text('source');
  const sourceUrl = reader.text('source_url') ?? root.text('url');
  return {
    customProperties: reader.textMap('custom_properties') ?? {},
    name: reader.requiredText('name'),
    definition: reader.requiredText('description'),
    ...(parent === undefined ? {} : { parentNode: parent }),
    termSource: reader.text('term_source') ?? root.text('source_type') ?? 'INTERNAL',
    ...(sourceRef === undefined ? {} : { sourceRef }),
    ...(sourceUrl === undefined ? {} : { sourceUrl }),
  };
}

function relatedTerms({ termsByPath, makesGuids }: Glossary, reader: YamlMapReader): JsonObject | undefined {
  const related = Object.entries(relations).flatMap(([member, name]) => {
    const terms = reader.texts(member)?.map((term) => {
      if (isUrn(term)) return term;
      return termsByPath.get(term) ?? glossaryUrn('glossaryTerm', [term], undefined, makesGuids);
    });
    return terms === undefined ? [] : [[name, terms] as const];
  });
  return related.length === 0 ? undefined : Object.fromEntries(related);
}

function domainsOf(reader: YamlMapReader): JsonObject | undefined {
  const domain = reader.text('domain');
  if (domain === undefined) return undefined;
  return {
    domains: [domain.startsWith('urn:li:domain:') ? parseUrn(domain) : parseUrn(`urn:li:domain:${domain}`)],
  };
}

/** The time of a link is that of the file's last change, so reading the same file again changes nothing. */
function linksOf({ document, file }: Glossary, reader: YamlMapReader): JsonObject | undefined {
  const elements = (reader.list('knowledge_links') ?? []).flatMap((node): readonly JsonObject[] => {
    const link = new YamlMapReader(document, node, 'the knowledge link', ['url', 'label']);
    const url = link.text('url');
    const description = link.text('label');
    if (url === undefined || description === undefined) return [];
    const createStamp = { time: file.changedAt, actor: 'urn:li:corpuser:datahub', message: 'ingestion bot' };
    return [{ url, description, createStamp }];
  });
  return elements.length === 0 ? undefined : { elements };
}

async function textOf(file: RecordFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file.chunks) {
    bytes += chunk.length;
    if (bytes > glossaryBytesMax) {
      throw new PostilError('LIMIT_EXCEEDED', `The file has more than ${glossaryBytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new PostilError('BAD_REQUEST', 'The file is not valid UTF-8');
  }
}

function problemRecord(file: RecordFile, number: number, error: PostilError, line?: number): SourceRecord {
  const place = /^line \d+/.exec(error.message)?.[0] ?? `line ${line ?? 1}`;
  return { file: file.name, number, place, bytes: 0, proposals: [], error };
}
