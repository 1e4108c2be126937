#!/usr/bin/env node
import { run } from '../tools/runtime.mjs';

await run('src/main.ts', process.argv.slice(2));
