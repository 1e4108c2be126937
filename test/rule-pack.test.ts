import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import type { JsonValue } from '../src/aspect/json.ts';
import { checkFiles } from '../src/cli/test/finding.ts';
import { semanticHash } from '../src/metadata-test/canonical-text.ts';
import { evaluate, pack, urnOf } from '../src/metadata-test/conformance.fixture.ts';
import { compileTest } from '../src/metadata-test/compile-test.ts';
import { explainTest } from '../src/metadata-test/explain-test.ts';
import type { ExplainedNode } from '../src/metadata-test/explanation.ts';
import { checkFixtures } from '../src/metadata-test/fixtures/check-fixtures.ts';
import { readFixtures } from '../src/metadata-test/fixtures/fixture.ts';
import { loadSituation } from '../src/metadata-test/fixtures/situation.ts';
import { requireValidDefinition } from '../src/metadata-test/require-valid.ts';
import { readTestDefinition } from '../src/metadata-test/test-definition.ts';
import { runPostil } from './process-server.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'rules/governance');
const files = checkFiles([folder]);
const tests = files.flatMap(({ file, tests: inFile }) =>
  inFile.map((test) => ({ code: basename(file, '.yaml'), test })),
);
const documentation = readFileSync(join(root, 'docs/reference/rule-pack.md'), 'utf8');

/** Whether something below the node was looked at and is told: a value, that there is none, or how many elements there are. */
function namesValues({ leaf, elements, children }: ExplainedNode): boolean {
  if (leaf !== undefined) return leaf.observed.length > 0 || leaf.notes.length > 0;
  if (elements !== undefined) {
    return elements.selected === 0 || elements.shown.some(({ why }) => namesValues(why));
  }
  return children.some(namesValues);
}

describe('the rule pack', () => {
  it('is what its description says', () => {
    const { tests: named, version } = parse(readFileSync(join(folder, 'pack.yaml'), 'utf8')) as {
      readonly tests: readonly string[];
      readonly version: string;
    };
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.ok(documentation.includes(`version ${version}`));
    const codes = tests.map(({ code }) => code);
    assert.deepEqual(codes, named);
    assert.deepEqual(
      codes,
      pack.map(({ id }) => id),
    );
    for (const { code, test } of tests) {
      assert.equal(test.wrapper['urn'], `urn:li:test:${code}`);
      assert.ok(String(test.wrapper['name']).startsWith(`${code} `), code);
      assert.ok(String(test.wrapper['description']).length > 60, code);
    }
  });

  it('is documented under its codes', () => {
    const headings = [...documentation.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(
      headings,
      tests.map(({ code }) => code),
    );
    for (const { code, test } of tests) {
      const section = documentation.split(`\n## ${code}\n`)[1]?.split('\n## ')[0] ?? '';
      const { portable } = pack.find(({ id }) => id === code) ?? {};
      assert.ok(section.includes(portable === true ? 'Portable.' : 'Extended.'), code);
      assert.ok(
        String(test.wrapper['description']).startsWith(section.split('\n\n')[1]?.slice(0, 40) ?? '?'),
        code,
      );
    }
  });

  for (const { code, test } of tests) {
    const example = pack.find(({ id }) => id === code);
    assert.ok(example !== undefined, code);

    it(`${code} means what the specification means, and is as portable`, () => {
      const mine = requireValidDefinition(test.text);
      const theirs = requireValidDefinition(JSON.stringify(example.definition));
      assert.equal(semanticHash(mine), semanticHash(theirs));
      assert.equal(readTestDefinition(test.text).extensions.length === 0, example.portable);
    });

    it(`${code} gives the verdicts of the matrix`, async () => {
      const actual: Record<string, string> = {};
      for (const alias of Object.keys(example.verdicts)) {
        const definition = JSON.parse(test.text) as JsonValue;
        actual[alias] = (await evaluate(definition, urnOf(alias))).verdict;
      }
      assert.deepEqual(actual, example.verdicts);
    });

    it(`${code} has fixtures that pass, cover it and notice every mistake`, async () => {
      const report = await checkFixtures(requireValidDefinition(test.text), test.fixtures);
      assert.deepEqual(report.problems, []);
      assert.deepEqual(
        report.results.filter(({ differences }) => differences.length > 0),
        [],
      );
      assert.deepEqual(report.coverage.uncovered, []);
      // GO004 has no rule, so nothing can show it failing.
      assert.equal(report.canFail, code !== 'GO004');
      // Where the scope asks for an owner, the collection of owners is never empty.
      const equivalent =
        code === 'GO018' ? [{ pointer: '/rules/0', change: 'onEmpty turned into pass' }] : [];
      assert.deepEqual(report.mutation.survivors, equivalent);
    });
  }

  it('says of everything that fails why, by the values that were found or are missing', async () => {
    let failures = 0;
    for (const { code, test } of tests) {
      const compiled = compileTest(requireValidDefinition(test.text));
      const ids = compiled.definition.rules.map(({ id }) => id);
      for (const fixture of readFixtures(test.fixtures, ids).fixtures) {
        const { entity, facts, now } = await loadSituation(fixture, compiled.readSet);
        const explanation = explainTest(compiled, entity, facts, now);
        if (explanation.verdict !== 'FAIL') continue;
        failures += 1;
        for (const rule of explanation.rules) {
          const where = `${code}: ${fixture.name}: ${rule.id}`;
          assert.ok(rule.message !== undefined, where);
          assert.doesNotMatch(rule.message, /\{\{|[:,] ?$/, where);
          assert.ok(namesValues(rule.why), where);
        }
      }
    }
    assert.ok(failures >= 30, `${failures} failures`);
  });

  it('passes the commands that people check their own tests with', async () => {
    const validated = await runPostil(['test', 'validate', folder]);
    assert.equal(validated.code, 0, validated.out);
    assert.match(validated.out, /20 tests in 21 files: 0 errors/);
    const checked = await runPostil(['test', 'fixtures', folder, '--min-coverage', '100']);
    assert.equal(checked.code, 0, checked.out);
    assert.match(checked.out, /GO004 .*it has no rule that decides, so it cannot fail\n/);
  });
});
