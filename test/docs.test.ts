import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { test } from 'node:test';
import { errorCodes } from '../src/errors/postil-error.ts';
import { readSource, repositoryPaths } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

const root = dirname(import.meta.dirname);
const paths = repositoryPaths();
const pages = paths.filter((path) => path.endsWith('.md')).map(readSource);

/** Targets of links and images in the text; code blocks and code spans hold examples, not links. */
function linkTargets(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)];
  const references = [...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
  return [...inline, ...references].map(([, target = '']) => target);
}

/** Heading ids as GitHub makes them: lower case, punctuation dropped, spaces to hyphens. */
function headingIds(text: string): string[] {
  return [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+\s+(.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

function deadLinks({ path, text }: SourceFile): string[] {
  return linkTargets(text)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? path : posix.join(posix.dirname(path), decodeURI(file));
      if (!existsSync(join(root, linked))) return true;
      return (
        anchor !== undefined &&
        linked.endsWith('.md') &&
        !headingIds(readSource(linked).text).includes(anchor)
      );
    })
    .map((target) => `${path}: ${target}`);
}

test('the error reference has one heading per code, and none for a code that does not exist', () => {
  const { text } = readSource('docs/reference/errors.md');
  const headings = [...text.matchAll(/^#+ ([A-Z][A-Z_]+)$/gm)].map(([, code = '']) => code);
  assert.deepEqual(headings.toSorted(), Object.keys(errorCodes).toSorted());
});

test('the error reference tells the status codes that the doors answer', () => {
  const { text } = readSource('docs/reference/errors.md');
  for (const [code, { graphql, http }] of Object.entries(errorCodes)) {
    assert.ok(
      text.includes(`## ${code}\n\nGraphQL ${graphql}, HTTP ${http}.`),
      `${code}: GraphQL ${graphql}, HTTP ${http}`,
    );
  }
});

test('links between pages lead to a file, and to a heading of it', () => {
  assert.deepEqual(pages.flatMap(deadLinks), []);
});

test('the link check sees a dead file and a dead heading', () => {
  const text =
    '# One\n[a](nowhere.md) [b](#one) [c](#two) `[d](x.md)` [e](https://example.org)\n```\n[f](y.md)\n```\n';
  assert.deepEqual(linkTargets(text), ['nowhere.md', '#one', '#two', 'https://example.org']);
  assert.deepEqual(headingIds('## GET `/health`: is it up?'), ['get-health-is-it-up']);
  assert.equal(deadLinks({ path: 'README.md', text: '[a](nowhere.md)' }).length, 1);
});

test('no file tells where it was written', () => {
  // Put together, so that this file does not find itself.
  const traces = [['', 'work', ''].join('/'), ['.', 'library'].join('')];
  const offending = paths
    .filter((path) => path !== 'package-lock.json' && !/\.(?:png|ico|woff2?)$/.test(path))
    .map(readSource)
    .flatMap(({ path, text }) =>
      traces.filter((trace) => text.includes(trace)).map((trace) => `${path}: ${trace}`),
    );
  assert.deepEqual(offending, []);
});
