import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { actionKinds } from './actions.ts';
import { issueCodes } from './issue.ts';
import { operators } from './operators.ts';
import { requireValidDefinition } from './require-valid.ts';

const path = join(import.meta.dirname, '../../docs/reference/metadata-test-language.md');
const text = readFileSync(path, 'utf8');

function headingsBelow(title: string): readonly string[] {
  const section = text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);
}

describe('the reference of the language', () => {
  it('has a heading for each operator, in their order, and none for another', () => {
    assert.deepEqual(
      headingsBelow('Operators'),
      operators.map((operator) => operator.id),
    );
  });

  it('has a section for each code, in their order, and none for another', () => {
    assert.deepEqual(headingsBelow('Findings'), Object.keys(issueCodes));
  });

  it('says under each code what the code says', () => {
    for (const [code, { title }] of Object.entries(issueCodes)) {
      assert.ok(text.includes(`### ${code}\n\n${title}`), `${code}: ${title}`);
    }
  });

  it('names each action, and no other', () => {
    const section = text.split('\n## Actions\n')[1]?.split('\n## ')[0] ?? '';
    const named = [...section.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name);
    assert.deepEqual(named, Object.keys(actionKinds));
  });

  it('shows only definitions that are valid', () => {
    const examples = [...text.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, example = '']) => example);
    assert.equal(examples.length, 3);
    for (const example of examples) requireValidDefinition(example);
  });
});
