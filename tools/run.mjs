// node tools/run.mjs SCRIPT [ARGUMENT...]: what the scripts of package.json call.
import { run } from './runtime.mjs';

const [script, ...args] = process.argv.slice(2);
if (script === undefined) {
  process.stderr.write('usage: node tools/run.mjs SCRIPT [ARGUMENT...]\n');
  process.exitCode = 2;
} else {
  await run(script, args);
}
