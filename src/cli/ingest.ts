import { systemCaller } from '../auth/system-caller.ts';
import { openCatalogue } from '../catalogue.ts';
import { readConfig } from '../config.ts';
import { readGlossaryRecords } from '../ingest/business-glossary.ts';
import {
  ingestRecords,
  type IngestSummary,
  type ProposalSink,
  type RecordProblem,
} from '../ingest/ingest-run.ts';
import { openRecordFile, type RecordFile } from '../ingest/record-file.ts';
import { readSourceRecords } from '../ingest/record-source.ts';
import { createServerSink } from '../ingest/server-sink.ts';
import { createStoreSink } from '../ingest/store-sink.ts';
import { storeFlag, storeOption } from './backup.ts';
import { type Arguments, type CliCommand, exitCodes, type Terminal, UsageError } from './command-line.ts';
import { createProgressLine, progressBar } from './progress-line.ts';

/** More problems than anybody reads are counted, not printed. */
const problemsPrintedMax = 100;
/** Read as records, each of its lines would be refused. */
const yamlFile = /\.ya?ml(\.gz)?$/i;

type Destination = { readonly sink: ProposalSink; readonly name: string; close(): Promise<void> };

type FileReport = IngestSummary & { readonly file: string; readonly problems: readonly RecordProblem[] };

export const ingest: CliCommand = {
  name: 'ingest',
  summary: 'Read metadata files into a server or a store.',
  usage: 'ingest FILE... (--server URL [--token TOKEN] | --store WHERE) [--glossary]',
  help: [
    'Reads DataHub metadata files: JSON lists of snapshots (MCE) and change proposals (MCP), mixed as they come, one ' +
      'record per line as well, .gz unpacked, - for standard input. Files may be of any size. With --glossary the ' +
      'files are business glossaries in YAML.',
    'A record that cannot be stored is reported with its file, number and cause, and the rest goes on. Exit code 0: ' +
      'everything was stored. 1: something was not.',
  ],
  options: [
    { name: 'server', value: 'URL', description: 'A running server, such as http://127.0.0.1:8080.' },
    {
      name: 'token',
      value: 'TOKEN',
      description: 'The token to call the server with. Default: $POSTIL_TOKEN.',
    },
    storeOption,
    { name: 'glossary', description: 'The files are business glossaries (YAML).' },
    { name: 'json', description: 'Print the result as JSON.' },
  ],
  async run(given, terminal) {
    if (given.positionals.length === 0)
      throw new UsageError(ingest, 'Name at least one file, or - for standard input.');
    const yaml = given.positionals.find((path) => yamlFile.test(path));
    if (yaml !== undefined && !given.isSet('glossary')) {
      throw new UsageError(ingest, `${yaml} is YAML. Read a business glossary with --glossary, by itself.`);
    }
    const destination = await openDestination(given);
    const reports: FileReport[] = [];
    try {
      for (const path of given.positionals) {
        reports.push(
          await ingestFile(path, given.isSet('glossary'), destination.sink, terminal, given.isSet('json')),
        );
      }
    } finally {
      await destination.close();
    }
    const failed = reports.reduce((sum, report) => sum + report.failedRecords, 0);
    if (given.isSet('json'))
      terminal.out(`${JSON.stringify({ destination: destination.name, files: reports })}\n`);
    else {
      const aspects = reports.reduce((sum, report) => sum + report.aspects, 0);
      terminal.out(
        `${aspects} aspects stored in ${destination.name}` +
          (failed === 0 ? '\n' : `, ${failed} records failed\n`),
      );
    }
    return failed === 0 ? exitCodes.done : exitCodes.failed;
  },
};

async function openDestination(given: Arguments): Promise<Destination> {
  const server = given.value('server');
  if (server !== undefined && given.value('store') !== undefined) {
    throw new UsageError(ingest, 'Choose one of --server and --store.');
  }
  const flagToken = given.value('token');
  const config = readConfig({
    ...storeFlag(given.value('store')),
    ...(flagToken === undefined ? {} : { token: flagToken }),
  });
  if (server !== undefined) {
    const token = config.token === undefined ? {} : { token: config.token };
    return { sink: createServerSink({ server, ...token }), name: server, close: () => Promise.resolve() };
  }
  const { store, engine } = await openCatalogue(config.store);
  return {
    sink: createStoreSink(engine.execute, systemCaller),
    name: store.location,
    close: () => store.close(),
  };
}

async function ingestFile(
  path: string,
  isGlossary: boolean,
  sink: ProposalSink,
  terminal: Terminal,
  isJson: boolean,
): Promise<FileReport> {
  const file = await openRecordFile(path);
  const progress = createProgressLine(terminal, () => performance.now());
  const start = performance.now();
  const problems: RecordProblem[] = [];
  let unprinted = 0;
  const summary = await ingestRecords(
    isGlossary ? readGlossaryRecords(file) : readSourceRecords(file),
    sink,
    {
      onProgress: (soFar) => progress.show(progressText(file, soFar, start)),
      onProblem(problem) {
        if (problems.length < problemsPrintedMax) problems.push(problem);
        else unprinted += 1;
        if (isJson || problems.length > problemsPrintedMax || unprinted > 0) return;
        progress.clear();
        terminal.err(`${problemText(problem)}\n`);
      },
    },
  );
  progress.clear();
  if (unprinted > 0) terminal.err(`${file.name}: ${unprinted} more problems are not shown\n`);
  if (!isJson) {
    const seconds = (performance.now() - start) / 1_000;
    terminal.err(
      `${file.name}: ${summary.records} records, ${summary.aspects} aspects stored, ${summary.failedRecords} records ` +
        `failed, ${seconds.toFixed(1)} s\n`,
    );
  }
  return { file: file.name, ...summary, problems };
}

function progressText(file: RecordFile, soFar: IngestSummary, start: number): string {
  const rate = Math.round(soFar.aspects / Math.max(0.001, (performance.now() - start) / 1_000));
  const bar =
    file.totalBytes === undefined ? '' : `${progressBar(file.bytesRead() / Math.max(1, file.totalBytes))}  `;
  return `${file.name}  ${bar}${soFar.aspects} aspects, ${rate}/s, ${soFar.failedRecords} failed`;
}

function problemText({ file, number, place, urn, aspect, message }: RecordProblem): string {
  const what = urn === undefined ? '' : ` ${urn} ${aspect ?? ''}:`;
  return `${file}: record ${number} (${place}):${what} ${message}`;
}
