import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, YAMLError } from 'yaml';
import type { Document } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../aspect/json.ts';
import { nearestName } from '../../entity/nearest-name.ts';
import { PostilError } from '../../errors/postil-error.ts';

export type Place = { readonly file: string; readonly line: number; readonly column: number };

/** A metadata test as it stands in a file. */
export type TestInFile = {
  /** Where its definition begins. */
  readonly place: Place;
  /** For messages: the name, else the URN, else the file and the position in it. */
  readonly label: string;
  /** What stands beside the definition; empty for a bare definition. */
  readonly wrapper: JsonObject;
  /** The JSON text of the definition, as it is stored; it does not hold the fixtures that stand beside it. */
  readonly text: string;
  readonly fixtures: JsonValue | undefined;
  /** Where a value of the definition stands; `pointer` leads into the definition. */
  placeOf(pointer: string): Place;
  /** Where a fixture, or a part of it, stands; `pointer` leads into the list of fixtures. */
  placeOfFixture(pointer: string): Place;
};

export type FileProblem = Place & { readonly message: string };

export type TestFile = {
  readonly file: string;
  readonly tests: readonly TestInFile[];
  /** What kept tests from being read. */
  readonly problems: readonly FileProblem[];
};

const fileBytesMax = 16 * 1024 * 1024;
const wrapperKeys = ['urn', 'name', 'category', 'description', 'definition', 'fixtures'];

/** The files named, and those in folders named: *.yaml, *.yml and *.json, sorted. Throws BAD_REQUEST. */
export function findTestFiles(paths: readonly string[]): readonly string[] {
  const files = paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw new PostilError('BAD_REQUEST', `There is no file or folder ${path}`);
    if (!found.isDirectory()) return [path];
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ya?ml|json)$/i.test(name))
      .map((name) => join(path, name));
  });
  return [...new Set(files)].toSorted();
}

/**
 * Reads the tests of one file: YAML 1.2 or JSON, one document or several, each a test, a bare definition, or a list of such.
 * A document with the member `pack` describes a pack and holds no test. Throws nothing but what reading the file throws.
 */
export function readTestFile(file: string): TestFile {
  if (statSync(file).size > fileBytesMax) {
    throw new PostilError('LIMIT_EXCEEDED', `${file} has more than ${fileBytesMax / 1024 / 1024} MB`);
  }
  return readTestText(file, readFileSync(file, 'utf8'));
}

export function readTestText(file: string, text: string): TestFile {
  const tests: TestInFile[] = [];
  const problems: FileProblem[] = [];
  let isEmpty = true;
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, version: '1.2', logLevel: 'error' });
  const documents: readonly Document.Parsed[] = Array.isArray(parsed) ? parsed : [];
  for (const document of documents) {
    const place = (tokens: readonly string[]): Place => {
      const { line, col } = lines.linePos(offsetOf(document, tokens));
      return { file, line, column: col };
    };
    const root = rootOf(document);
    if (root instanceof Error) {
      const { line, col } = (root instanceof YAMLError ? root.linePos?.[0] : undefined) ?? {
        line: 1,
        col: 1,
      };
      problems.push({ file, line, column: col, message: firstLine(root.message) });
      continue;
    }
    isEmpty &&= root === null;
    if (root === null || (isJsonObject(root) && Object.hasOwn(root, 'pack'))) continue;
    const items = Array.isArray(root) ? (root as readonly JsonValue[]) : undefined;
    for (const [index, item] of (items ?? [root]).entries()) {
      const at = items === undefined ? [] : [String(index)];
      if (isJsonObject(item)) {
        const test = testIn(file, item, at, place, tests.length + 1);
        tests.push(test);
        problems.push(...surplusMembers(test, (key) => place([...at, key])));
      } else problems.push({ ...place(at), message: 'A test is an object with the members on and rules.' });
    }
  }
  if (isEmpty && problems.length === 0) {
    problems.push({ file, line: 1, column: 1, message: 'The file is empty.' });
  }
  return { file, tests, problems };
}

function surplusMembers({ wrapper }: TestInFile, placeOf: (key: string) => Place): readonly FileProblem[] {
  return Object.keys(wrapper)
    .filter((key) => !wrapperKeys.includes(key))
    .map((key) => {
      const nearest = nearestName(key, wrapperKeys);
      const hint = nearest === undefined ? `It has ${wrapperKeys.join(', ')}.` : `Did you mean '${nearest}'?`;
      return { ...placeOf(key), message: `A test has no member '${key}'. ${hint}` };
    });
}

function testIn(
  file: string,
  item: JsonObject,
  at: readonly string[],
  place: (tokens: readonly string[]) => Place,
  position: number,
): TestInFile {
  const isBare =
    !Object.hasOwn(item, 'definition') && !Object.keys(item).every((key) => wrapperKeys.includes(key));
  const wrapper = isBare ? {} : item;
  const written = isBare ? item : (item['definition'] ?? null);
  const definitionAt = isBare ? at : [...at, 'definition'];
  const isBeside = wrapper['fixtures'] !== undefined;
  const inside = isJsonObject(written) ? written['fixtures'] : undefined;
  const fixturesAt = isBeside ? [...at, 'fixtures'] : [...definitionAt, 'fixtures'];
  const { name, urn } = wrapper;
  const label = [name, urn].find((value) => typeof value === 'string') ?? `${file} (${position})`;
  return {
    place: place(definitionAt),
    label: String(label),
    wrapper,
    text: JSON.stringify(written),
    fixtures: isBeside ? wrapper['fixtures'] : inside,
    placeOf: (pointer) => place([...definitionAt, ...tokensOf(pointer)]),
    placeOfFixture: (pointer) => place([...fixturesAt, ...tokensOf(pointer)]),
  };
}

/**
 * The value of a document, or why it has none: no YAML, aliases that lead nowhere, around in a circle or to far too much.
 * Numbers that JSON does not have, such as .inf, become null.
 */
function rootOf(document: Document.Parsed): JsonValue | Error {
  const [error] = document.errors;
  if (error !== undefined) return error;
  try {
    const value: unknown = document.toJS({ maxAliasCount: 1_000 });
    return JSON.parse(JSON.stringify(value ?? null)) as JsonValue;
  } catch (failure) {
    if (failure instanceof Error) return failure;
    throw failure;
  }
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? '';
}

function tokensOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Where a value starts; of one that is not there, where its nearest holder starts. */
function offsetOf(document: Document.Parsed, tokens: readonly string[]): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? 0;
  for (const token of tokens) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === token);
      offset = startOf(pair?.value) ?? startOf(pair?.key) ?? offset;
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(token)];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range?.[0] : undefined;
}
