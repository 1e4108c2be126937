import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Document, Node, YAMLMap } from 'yaml';
import { nearestName } from '../entity/nearest-name.ts';
import { PostilError } from '../errors/postil-error.ts';

/** A YAML document whose values know their line. */
export type YamlDocument = {
  readonly root: Node | null;
  /** 1 for a value that was not written down. */
  lineOf(node: unknown): number;
  /** The node an alias stands for; any other value as it is. */
  resolved(node: unknown): unknown;
};

/** Throws BAD_REQUEST with the line of the first mistake. */
export function parseYaml(text: string): YamlDocument {
  const lines = new LineCounter();
  const document: Document.Parsed = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined) {
    const [position] = error.linePos ?? [];
    const message =
      error.code === 'MULTIPLE_DOCS'
        ? 'another document begins, but only files with one can be read'
        : error.message.split('\n', 1)[0]?.replace(/ at line \d+, column \d+:?$/, '');
    throw new PostilError('BAD_REQUEST', `line ${position?.line ?? 1}: ${message}`);
  }
  return {
    root: document.contents,
    lineOf: (node) => {
      const offset = isMap(node) || isSeq(node) || isScalar(node) ? node.range?.[0] : undefined;
      return offset === undefined ? 1 : lines.linePos(offset).line;
    },
    resolved: (node) => (isAlias(node) ? node.resolve(document) : node),
  };
}

/** Reads the members of one YAML map; every mistake names its line. */
export class YamlMapReader {
  readonly #document: YamlDocument;
  readonly #members = new Map<string, unknown>();
  readonly what: string;
  readonly line: number;

  /** Throws BAD_REQUEST when it is no map, has a member twice, or one that is not among `known`. */
  constructor(document: YamlDocument, node: unknown, what: string, known: readonly string[]) {
    this.#document = document;
    this.what = what;
    const map = document.resolved(node);
    this.line = document.lineOf(map);
    if (!isMap(map)) throw this.mistake(`${what} must be a map`);
    for (const { key, value } of (map as YAMLMap).items) {
      const name = isScalar(key) ? String(key.value) : '';
      if (!known.includes(name)) {
        const nearest = nearestName(name, known);
        const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
        throw this.mistake(`${what} has no member "${name}".${hint}`, key);
      }
      this.#members.set(name, document.resolved(value));
    }
  }

  /** Text as it is written; `undefined` when absent or empty. Numbers and yes or no count as text. */
  text(name: string): string | undefined {
    const node = this.#present(name);
    return node === undefined ? undefined : this.#textOf(node, name);
  }

  requiredText(name: string): string {
    const text = this.text(name);
    if (text === undefined || text === '') throw this.mistake(`${this.what} needs a ${name}`);
    return text;
  }

  /** A list of texts; a single text counts as a list of one. */
  texts(name: string): readonly string[] | undefined {
    const node = this.#present(name);
    if (node === undefined) return undefined;
    if (!isSeq(node)) return [this.#textOf(node, name)];
    return node.items.map((item) => this.#textOf(this.#document.resolved(item), name));
  }

  /** The elements of a list; `undefined` when absent. */
  list(name: string): readonly unknown[] | undefined {
    const node = this.#present(name);
    if (node === undefined) return undefined;
    if (!isSeq(node)) throw this.mistake(`"${name}" of ${this.what} must be a list`, node);
    return node.items.map((item) => this.#document.resolved(item));
  }

  /** A list of maps, or a single map. */
  oneOrMore(name: string): readonly unknown[] | undefined {
    const node = this.#present(name);
    if (node === undefined) return undefined;
    return isSeq(node) ? this.list(name) : [node];
  }

  /** A map of texts; documentation shows a list of maps with one member each as well. */
  textMap(name: string): Readonly<Record<string, string>> | undefined {
    const parts = this.oneOrMore(name);
    if (parts === undefined) return undefined;
    const entries: [string, string][] = [];
    for (const part of parts) {
      if (!isMap(part)) throw this.mistake(`"${name}" of ${this.what} must be a map of texts`, part);
      for (const { key, value } of part.items) {
        const member = isScalar(key) ? String(key.value) : '';
        entries.push([member, this.#textOf(this.#document.resolved(value), `${name}.${member}`)]);
      }
    }
    return Object.fromEntries(entries);
  }

  mistake(message: string, at?: unknown): PostilError {
    const line = at === undefined ? this.line : this.#document.lineOf(at);
    return new PostilError('BAD_REQUEST', `line ${line}: ${message}`);
  }

  #present(name: string): unknown {
    const node = this.#members.get(name);
    return node === undefined || node === null || (isScalar(node) && node.value === null) ? undefined : node;
  }

  #textOf(node: unknown, name: string): string {
    if (!isScalar(node)) throw this.mistake(`"${name}" of ${this.what} must be text`, node);
    const { value, source } = node;
    if (typeof value === 'string') return value;
    // Python reads these files for DataHub, and this is how it prints yes and no.
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return source ?? String(value);
  }
}
