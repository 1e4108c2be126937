import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { actionKinds } from './actions.ts';
import type { Verdict } from './compile-test.ts';
import { derivedAspects } from './derived-aspects.ts';
import { issueCodes } from './issue.ts';
import { operators } from './operators.ts';
import { virtualProperties } from './predicate.ts';
import { universalAspects } from './property-catalogue.ts';
import { requireValidDefinition } from './require-valid.ts';
import { readTestDefinition } from './test-definition.ts';

const path = join(import.meta.dirname, '../../docs/reference/metadata-test-language.md');
const text = readFileSync(path, 'utf8');

function sectionOf(title: string): string {
  return text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
}

function headingsBelow(title: string): readonly string[] {
  const section = sectionOf(title);
  return [...section.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);
}

const propertyGroups = [
  'Universal',
  'Asset',
  'Data asset',
  'Dataset text',
  'Dataset usage',
  'Dataset size',
  'Dataset lineage',
  'Dataset columns',
  'Dataset quality',
  'Dashboards',
  'Charts',
  'Jobs',
  'Flows',
  'Containers',
  'Glossary terms',
  'Glossary nodes',
  'Domains',
  'Data products',
];

type PropertyGroup = {
  readonly heading: string;
  readonly types: readonly string[];
  readonly properties: readonly string[];
};

/** The groups as they are written: types before the colon, properties behind it. */
function groupsOfProperties(): readonly PropertyGroup[] {
  const [, ...parts] = sectionOf('Property groups').split('\n### ');
  return parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const [types = '', properties = ''] = lines.join(' ').split(/: (.*)/);
    const codes = (written: string): readonly string[] =>
      [...written.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
    return { heading, types: codes(types), properties: codes(properties) };
  });
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

  it('has a heading for each action, in their order, and none for another', () => {
    assert.deepEqual(headingsBelow('Actions'), Object.keys(actionKinds));
  });

  it('has a heading for each verdict, in their order, and none for another', () => {
    // The compiler demands every verdict here.
    const verdicts: Readonly<Record<Verdict, true>> = {
      PASS: true,
      FAIL: true,
      EXEMPT: true,
      NONE: true,
      ERROR: true,
    };
    assert.deepEqual(headingsBelow('Verdicts'), Object.keys(verdicts));
  });

  it('has property groups whose properties are those of the types that they name', () => {
    const groups = groupsOfProperties();
    assert.deepEqual(
      groups.map(({ heading }) => heading),
      propertyGroups,
    );
    for (const { heading, types, properties } of groups) {
      assert.ok(types.length > 0 && properties.length > 0, heading);
      for (const property of properties) {
        const path = property
          .replace('<property URN>', 'urn:li:structuredProperty:io.acme.retention')
          .replace('<ownership type URN>', 'urn:li:ownershipType:__system__technical_owner');
        const { issues } = readTestDefinition(
          JSON.stringify({ on: { types }, rules: [{ property: path, operator: 'exists' }] }),
        );
        const wrong = issues.filter(({ code, severity }) => severity === 'error' || code === 'MT204');
        assert.deepEqual(wrong, [], `${heading}: ${property}`);
      }
    }
  });

  it('has every computed property and every derived aspect in a property group', () => {
    const properties = groupsOfProperties().flatMap((group) => group.properties);
    for (const name of virtualProperties) {
      // A collection for `forEach` only.
      if (name !== 'columns') assert.ok(properties.includes(name), name);
    }
    for (const aspect of [...derivedAspects.keys(), ...universalAspects]) {
      assert.ok(
        properties.some((property) => property.startsWith(`${aspect}.`)),
        aspect,
      );
    }
  });

  it('shows only definitions that are valid', () => {
    const examples = [...text.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, example = '']) => example);
    assert.equal(examples.length, 3);
    for (const example of examples) requireValidDefinition(example);
  });
});
