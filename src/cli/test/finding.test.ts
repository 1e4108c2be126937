import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkFiles } from './finding.ts';

test('A6, A7: tests in the files of a folder are checked beside each other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postil-files-'));
  try {
    const file = (id: string, action: string, rules: string): Promise<void> =>
      writeFile(
        join(folder, `${id}.yaml`),
        `urn: urn:li:test:${id}\nname: ${id}\ncategory: c\ndefinition:\n  on: {types: [dataset]}\n  rules: ${rules}\n  actions:\n    passing:\n      - {type: ${action}, values: ["urn:li:tag:Gold"]}\n`,
      );
    await file('adds', 'add_tags', '[]');
    await file('removes', 'remove_tags', '[{property: ownership.owners.owner, operator: exists}]');
    const checked = checkFiles([folder]);
    const found = checked.flatMap(({ findings }) =>
      findings.map(({ code, line, pointer, message }) => [
        code,
        line,
        pointer,
        /of (adds|removes) /.test(message),
      ]),
    );
    assert.deepEqual(found, [
      ['MT135', 9, '/actions/passing/0', true],
      ['MT135', 9, '/actions/passing/0', true],
    ]);
    assert.deepEqual(
      checked.flatMap(({ summaries }) => summaries.map(({ valid }) => valid)),
      [false, false],
    );
    const [first] = checkFiles([join(folder, 'adds.yaml')]);
    assert.deepEqual(first?.findings, []);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
