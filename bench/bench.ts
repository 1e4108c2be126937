import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { addTermsScenario } from './add-terms.scenario.ts';
import { bulkScenario } from './bulk.scenario.ts';
import { hotSet, randomDatasets } from './dataset-query.scenario.ts';
import { evaluateScenario } from './evaluate.scenario.ts';
import { growthScenario } from './growth.scenario.ts';
import { indexUpkeepScenario } from './index-upkeep.scenario.ts';
import { largeEntitiesScenario } from './large-entities.scenario.ts';
import { startLoadClient } from './load.ts';
import { describeMachine } from './machine.ts';
import { memoryScenario } from './memory.scenario.ts';
import { machineText, measurementText, type Report } from './report.ts';
import { type Bench, isReached, type Scenario, type ScenarioResult } from './scenario.ts';
import { narrowTestsScenario } from './narrow-tests.scenario.ts';
import { searchMillionScenario, searchScenario } from './search.scenario.ts';
import { startScenario } from './start.scenario.ts';
import { testClosuresScenario } from './test-closures.scenario.ts';
import { testsAtScaleScenario } from './tests-at-scale.scenario.ts';
import { verdictLagScenario } from './verdict-lag.scenario.ts';

const scenarios: readonly Scenario[] = [
  startScenario,
  memoryScenario,
  randomDatasets,
  hotSet,
  addTermsScenario,
  bulkScenario,
  growthScenario,
  testClosuresScenario,
  evaluateScenario,
  verdictLagScenario,
  testsAtScaleScenario,
  narrowTestsScenario,
  searchScenario,
  searchMillionScenario,
  largeEntitiesScenario,
  indexUpkeepScenario,
];

const usage = `usage: npm run bench [-- OPTIONS]

Measures what Postil promises about speed and size, each number beside a reference of the same run.

  --only NAME    only this scenario; may be repeated (--list names them)
  --quick        small stores and short measurements: shows that everything works, proves nothing
  --data FOLDER  where generated stores are kept between runs (about 30 GB for all; default ${join(tmpdir(), 'postil-bench')})
  --json FILE    also write the results as JSON; bench/render-readme.ts makes the tables of bench/README.md from it
  --profile FOLDER  write CPU profiles of Postil's processes there; bench/profile-summary.ts reads them. They slow it down
  --list         name the scenarios
  --help         this text

Exit code: 0 measured, whatever the numbers are; 1 something failed; 2 wrong arguments.`;

type Options = {
  readonly only: readonly string[];
  readonly isQuick: boolean;
  readonly data: string;
  readonly json: string | undefined;
  readonly profile: string | undefined;
};

/** Throws for what it does not understand. */
function readOptions(): Options | 'help' | 'list' {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean' },
      data: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
      list: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return 'help';
  if (values.list === true) return 'list';
  const only = values.only ?? [];
  const unknown = only.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0) throw new Error(`There is no scenario ${unknown.join(', ')}`);
  return {
    only,
    isQuick: values.quick === true,
    data: resolve(values.data ?? join(tmpdir(), 'postil-bench')),
    json: values.json === undefined ? undefined : resolve(values.json),
    profile: values.profile === undefined ? undefined : resolve(values.profile),
  };
}

async function measureAll({ only, isQuick, data, json, profile }: Options): Promise<void> {
  mkdirSync(data, { recursive: true });
  const machine = describeMachine();
  console.log(machineText(machine));
  if (isQuick)
    console.log('A quick run with small stores: it shows that everything works and proves nothing.');
  const client = startLoadClient();
  const bench: Bench = {
    data,
    isQuick,
    rounds: isQuick ? 2 : 5,
    warmUpMs: isQuick ? 500 : 1_500,
    measureMs: isQuick ? 1_000 : 4_000,
    client,
    profile,
    say: (text) => console.error(`    ${text}`),
  };
  const results: ScenarioResult[] = [];
  try {
    for (const { name, title, run } of scenarios) {
      if (only.length > 0 && !only.includes(name)) continue;
      console.log(`\n${title} (${name})`);
      const { method, measurements } = await run(bench);
      console.log(`  ${method}`);
      for (const measurement of measurements) console.log(measurementText(measurement));
      results.push({ name, title, method, measurements });
    }
  } finally {
    await client.stop();
  }
  const all = results
    .flatMap(({ measurements }) => measurements)
    .filter(({ target }) => target !== undefined);
  console.log(`\n${all.filter((each) => isReached(each) === true).length} of ${all.length} targets reached.`);
  const report: Report = { machine, isQuick, scenarios: results };
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
}

async function main(): Promise<number> {
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
  if (options === 'help') console.log(usage);
  else if (options === 'list')
    for (const { name, title } of scenarios) console.log(`${name.padEnd(16)}${title}`);
  else await measureAll(options);
  return 0;
}

process.exitCode = await main();
