import type { Machine } from './machine.ts';
import { isReached, type Measurement, ratioOf, type ScenarioResult } from './scenario.ts';

/** A whole run, as `--json` writes it. */
export type Report = {
  readonly machine: Machine;
  readonly isQuick: boolean;
  readonly scenarios: readonly ScenarioResult[];
};

export function machineText(machine: Machine): string {
  return (
    `${machine.date} UTC, ${machine.processors} x ${machine.processor}, ${machine.memoryGibibytes} GiB, ${machine.system}, ` +
    `Node.js ${machine.node}, SQLite ${machine.sqlite}, commit ${machine.commit}. Load before the run: ` +
    `${machine.loadBefore}. ${machine.isPinned ? 'Servers on processor 0, load on processor 1.' : 'Processors not pinned.'}`
  );
}

/** One measurement on a line of its own, for a terminal. */
export function measurementText(measurement: Measurement): string {
  const { what, reference, target, notes } = measurement;
  const against =
    reference === undefined
      ? ''
      : `, ${ratioText(measurement)} ${reference.what} (${amount(reference.value)})`;
  const reached = isReached(measurement);
  const verdict =
    target === undefined ? '' : ` [${target.text}: ${reached === true ? 'reached' : 'NOT REACHED'}]`;
  return `  ${what}: ${valueText(measurement)}${against}${verdict}${notes === undefined ? '' : `\n      ${notes}`}`;
}

/** Tables for bench/README.md. */
export function reportMarkdown({ machine, isQuick, scenarios }: Report): string {
  const lines = [`Measured ${machineText(machine)}`, ''];
  if (isQuick)
    lines.push('**A quick run with small stores: it shows that everything works and proves nothing.**', '');
  for (const { title, method, measurements } of scenarios) {
    lines.push(`### ${title}`, '', method, '');
    lines.push('| What | Measured | Compared with | Target | Reached |', '| --- | --- | --- | --- | --- |');
    for (const measurement of measurements) {
      const { what, reference, target, notes } = measurement;
      const reached = isReached(measurement);
      const cells = [
        notes === undefined ? what : `${what}<br>${notes}`,
        valueText(measurement),
        reference === undefined
          ? ''
          : `${ratioText(measurement)} ${reference.what} (${amount(reference.value)})`,
        target?.text ?? '',
        reached === undefined ? '' : reached ? 'yes' : '**no**',
      ];
      lines.push(`| ${cells.join(' | ')} |`);
    }
    lines.push('');
  }
  return lines.join('\n').trimEnd();
}

function valueText({ value, unit }: Measurement): string {
  return `${amount(value)} ${unit}`;
}

function ratioText(measurement: Measurement): string {
  const ratio = ratioOf(measurement) ?? Number.NaN;
  return measurement.ratioAs === 'share' ? `${(ratio * 100).toFixed(0)} % of` : `${ratio.toFixed(2)} times`;
}

function amount(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
