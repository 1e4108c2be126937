import type {
  Preview,
  PreviewActions,
  PreviewDifference,
  PreviewGroup,
  VerdictMove,
} from '../../metadata-test/preview/preview.ts';
import type { Severity } from '../../metadata-test/predicate.ts';
import { severities } from '../../metadata-test/read-rules.ts';
import { readTestDefinition } from '../../metadata-test/test-definition.ts';

/** URNs and groups that are printed of each list; JSON has more. */
const shownMax = 5;

/** The preview of one test as lines for people. */
export function previewLines(preview: Preview): readonly string[] {
  const { counts, rules, groups, samples, cost, issues } = preview;
  const width = Math.max(0, ...rules.map(({ id }) => id.length));
  return [
    countsLine(preview),
    ...incompleteLines(preview),
    ...(rules.length === 0 || counts.inScope === 0 ? [] : ['rules:']),
    ...(counts.inScope === 0 ? [] : rules).map(
      ({ id, failing, failingAlone }) =>
        `  ${id.padEnd(width)}  fails ${number(failing)}, alone ${number(failingAlone)}`,
    ),
    ...(preview.difference === undefined ? [] : differenceLines(preview.difference)),
    ...(preview.actions === undefined ? [] : actionLines(preview.actions)),
    ...groupLines('platforms', groups.platforms),
    ...groupLines('domains', groups.domains),
    ...groupLines('owners', groups.owners),
    ...sampleLines(
      'failing',
      samples.failing.map(({ entity, why }) => [entity, why]),
    ),
    ...sampleLines(
      'nearly passing',
      samples.nearlyPassing.map(({ entity, why, toPass }) => [
        entity,
        toPass.length === 0 ? why : toPass.join(' '),
      ]),
    ),
    ...issues.map(({ severity, code, pointer, message }) => `${severity}: ${pointer}: ${message} [${code}]`),
    `${cost.plan.toLowerCase()}: ${number(cost.entities)} looked at, ${number(cost.evaluated)} evaluated one by one, ${number(cost.milliseconds)} ms`,
    ...(cost.beyondRows.length === 0 ? [] : [`rows cannot tell: ${cost.beyondRows.join(', ')}`]),
  ];
}

/** What changes against the stored verdicts, as lines. */
export function differenceLines(difference: PreviewDifference): readonly string[] {
  const moves: readonly (readonly [string, VerdictMove])[] = [
    ['newly failing', difference.newlyFailing],
    ['newly passing', difference.newlyPassing],
    ['entering the scope', difference.entering],
    ['leaving the scope', difference.leaving],
  ];
  const changed = moves.filter(([, { count }]) => count > 0);
  if (changed.length === 0) return ['verdicts: no difference'];
  return [
    `verdicts: ${changed.map(([what, { count }]) => `${number(count)} ${what}`).join(', ')}`,
    ...changed.flatMap(([what, { count, urns }]) => {
      const shown = urns.slice(0, shownMax);
      const more = count - shown.length;
      return [
        ...shown.map((urn) => `  ${what}: ${urn}`),
        ...(more > 0 ? [`  ${what}: ${number(more)} more`] : []),
      ];
    }),
  ];
}

function actionLines({
  entities,
  isComplete,
  writes,
  removedOfPeople,
  sample,
  approval,
}: PreviewActions): readonly string[] {
  const waits = approval === undefined ? '' : `, which waits for approval (${approval})`;
  return [
    `actions: ${isComplete ? '' : 'at least '}${number(entities)} entities would change${waits}`,
    ...Object.entries(writes).map(([action, count]) => `  ${action}: ${number(count)} writes`),
    ...(removedOfPeople === 0
      ? []
      : [`  ${number(removedOfPeople)} values would be removed that no test added`]),
    ...sample.slice(0, shownMax).map(({ entity, changes }) => `  ${entity}: ${changes.join(', ')}`),
  ];
}

/** `1,204 in scope: 1,000 pass, 204 fail`, with what else there is. */
export function countsLine({ counts }: Pick<Preview, 'counts'>): string {
  const { inScope, passing, failing, exempt, undecided } = counts;
  const rest: readonly (readonly [number, string])[] = [
    [exempt, 'exempt'],
    [undecided, 'undecided'],
  ];
  const more = rest.filter(([count]) => count > 0).map(([count, what]) => `, ${number(count)} ${what}`);
  return `${number(inScope)} in scope: ${number(passing)} pass, ${number(failing)} fail${more.join('')}`;
}

/** What keeps the counts from being exact; nothing when they are. */
export function incompleteLines({
  isComplete,
  notLookedAt,
  isOfOneMoment,
}: Pick<Preview, 'isComplete' | 'notLookedAt' | 'isOfOneMoment'>): readonly string[] {
  return [
    ...(isComplete ? [] : [`incomplete: ${number(notLookedAt)} entities were not looked at`]),
    ...(isOfOneMoment ? [] : ['the catalogue was changed while it was counted']),
  ];
}

/** The severity of a whole definition; without one, error. */
export function severityOf(json: string | null | undefined): Severity {
  const read = json === undefined || json === null ? undefined : readTestDefinition(json);
  const written = read?.valid === true ? read.definition.keys['severity'] : undefined;
  return severities.find((severity) => severity === written) ?? 'error';
}

function groupLines(what: string, groups: readonly PreviewGroup[]): readonly string[] {
  const failing = groups.filter((group) => group.failing > 0).slice(0, shownMax);
  if (failing.length === 0) return [];
  return [
    `${what} with the most that fail:`,
    ...failing.map((group) => {
      const total = group.failing + group.passing;
      return `  ${group.urn ?? '(none)'}  ${number(group.failing)} of ${number(total)}`;
    }),
  ];
}

function sampleLines(what: string, samples: readonly (readonly [string, string])[]): readonly string[] {
  if (samples.length === 0) return [];
  return [
    `${what}:`,
    ...samples.slice(0, shownMax).flatMap(([entity, why]) => [`  ${entity}`, `    ${why}`]),
  ];
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
