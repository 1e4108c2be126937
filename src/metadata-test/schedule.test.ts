import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonValue } from '../aspect/json.ts';
import { nextRunAfter, readSchedule, type Schedule } from './schedule.ts';

function scheduleOf(value: JsonValue): Schedule {
  const read = readSchedule(value);
  assert.ok('schedule' in read, `${JSON.stringify(value)}: ${'problem' in read ? read.problem : ''}`);
  return read.schedule;
}

const next = (value: JsonValue, after: string): string | undefined => {
  const run = nextRunAfter(scheduleOf(value), Date.parse(after));
  return run === undefined ? undefined : new Date(run).toISOString().slice(0, 16);
};

describe('schedules', () => {
  const runs: readonly (readonly [JsonValue, string, string | undefined])[] = [
    ['0 3 * * *', '2026-01-01T02:59:59Z', '2026-01-01T03:00'],
    ['0 3 * * *', '2026-01-01T03:00:00Z', '2026-01-02T03:00'],
    ['*/15 * * * *', '2026-01-01T10:14:00Z', '2026-01-01T10:15'],
    ['5/20 * * * *', '2026-01-01T10:46:00Z', '2026-01-01T11:05'],
    ['30 9-17/4 * * mon-fri', '2026-01-02T17:30:00Z', '2026-01-05T09:30'],
    ['0 0 1,15 JAN,jul *', '2026-01-15T00:00:00Z', '2026-07-01T00:00'],
    ['0 0 * * 7', '2026-01-01T00:00:00Z', '2026-01-04T00:00'],
    ['0 0 29 2 *', '2096-03-01T00:00:00Z', '2104-02-29T00:00'],
    // Either day is enough when both are given.
    ['0 0 13 * 5', '2026-01-03T00:00:00Z', '2026-01-09T00:00'],
    ['0 0 13 * 5', '2026-01-09T00:00:00Z', '2026-01-13T00:00'],
    ['0 3 * * *', '1969-12-30T12:00:00Z', '1969-12-31T03:00'],
    [{ interval: 'DAILY' }, '2026-01-01T00:00:00Z', '2026-01-02T00:00'],
    [{ interval: 'NONE' }, '2026-01-01T00:00:00Z', undefined],
  ];
  for (const [value, after, expected] of runs) {
    it(`${JSON.stringify(value)} runs after ${after} at ${expected ?? 'no time'}, in UTC`, () => {
      assert.equal(next(value, after), expected);
    });
  }

  const refused: readonly JsonValue[] = [
    '',
    '0 3 * *',
    '0 3 * * * *',
    '60 * * * *',
    '-1 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '*/0 * * * *',
    '9-5 * * * *',
    '1-2-3 * * * *',
    '1,,2 * * * *',
    'a * * * *',
    '0x1 * * * *',
    '1.5 * * * *',
    '0 0 31 2,4 *',
    '@daily',
    `${'1,'.repeat(200)}1 * * * *`,
    {},
    { interval: 'HOURLY' },
    7,
    true,
    [],
  ];
  for (const value of refused) {
    it(`refuses ${JSON.stringify(value).slice(0, 40)} and says why`, () => {
      const read = readSchedule(value);
      assert.ok('problem' in read && read.problem.length > 20);
    });
  }

  it('says how a schedule is written where an object says something else', () => {
    for (const value of [{}, { cron: '0 6 * * *' }, 7]) {
      const read = readSchedule(value);
      assert.ok('problem' in read && read.problem.includes('the text of a cron expression'));
      assert.equal(read.member, undefined);
    }
  });

  const field = (from: number, to: number): fc.Arbitrary<string> =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min: from, max: to }).map(String),
      fc.integer({ min: 1, max: 20 }).map((step) => `*/${step}`),
      fc
        .array(fc.integer({ min: from, max: to }), { minLength: 1, maxLength: 4 })
        .map((values) => values.join(',')),
    );
  const cron = fc
    .tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 7))
    .map((parts) => parts.join(' '));
  const time = fc.integer({ min: 0, max: 4_000_000_000_000 });

  it('the next run is the first matching minute: later than the time, and nothing matches in between', () => {
    fc.assert(
      fc.property(cron, time, (text, after) => {
        const schedule = scheduleOf(text);
        const run = nextRunAfter(schedule, after) ?? 0;
        assert.ok(run > after && run % 60_000 === 0);
        assert.equal(nextRunAfter(schedule, run - 1), run);
        const [minutes = '', hours = ''] = text.split(' ');
        const date = new Date(run);
        assert.ok(matches(minutes, date.getUTCMinutes(), 0) && matches(hours, date.getUTCHours(), 0), text);
        // Any moment before the run has the same run.
        const between = after + Math.floor((run - after) / 2);
        assert.equal(nextRunAfter(schedule, between), run);
      }),
      { numRuns: 500 },
    );
  });

  it('never throws, whatever is written', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((json) => JSON.parse(json) as JsonValue),
          cron,
        ),
        (value) => {
          const read = readSchedule(value);
          return 'schedule' in read || read.problem !== '';
        },
      ),
      { numRuns: 1000 },
    );
  });
});

/** A second reading of the forms that the property test writes. */
function matches(text: string, value: number, from: number): boolean {
  if (text === '*') return true;
  if (text.startsWith('*/')) return (value - from) % Number(text.slice(2)) === 0;
  return text.split(',').map(Number).includes(value);
}
