import { isJsonObject, type JsonValue } from '../aspect/json.ts';

/**
 * When a test is evaluated for everything in its scope, beside what changes set off (metadata-tests specification 3.3, and
 * DataHub's `{"interval": ...}`). All times are UTC.
 */
export type Schedule =
  /** Never by the clock. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'times';
      readonly minutes: readonly number[];
      readonly hours: readonly number[];
      readonly days: readonly number[];
      readonly months: readonly number[];
      /** 0 is Sunday. */
      readonly weekdays: readonly number[];
      /** Both days of the month and of the week are given: one of them is enough, as in every cron. */
      readonly isEitherDay: boolean;
    };

export type ReadSchedule =
  | { readonly schedule: Schedule }
  /** `member`: the member of the object that is wrong; absent when the value itself is. */
  | { readonly problem: string; readonly member?: string };

type Field = {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
};

const fields = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of the month', from: 1, to: 31 },
  {
    name: 'month',
    from: 1,
    to: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  // 7 is Sunday as well.
  { name: 'day of the week', from: 0, to: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
] as const satisfies readonly Field[];

const maxCharacters = 200;
const dayMs = 24 * 60 * 60 * 1000;
/** 29 February comes again after eight years at the latest. */
const maxDays = 9 * 366;

const midnight = { kind: 'times', minutes: [0], hours: [0], weekdays: span(0, 6) } as const;
const daily: Schedule = { ...midnight, days: span(1, 31), months: span(1, 12), isEitherDay: false };

/**
 * Reads a schedule: a cron expression of five fields (numbers, `*`, ranges, lists, steps, names of months and days), or
 * `{"interval": "DAILY" | "NONE"}`, where DAILY is midnight. Never throws.
 */
export function readSchedule(value: JsonValue): ReadSchedule {
  if (typeof value === 'string') return readCron(value);
  const interval = isJsonObject(value) ? value['interval'] : undefined;
  if (interval === undefined) {
    return {
      problem: `'schedule' is the text of a cron expression of five fields, or {"interval": "DAILY"} or {"interval": "NONE"}.`,
    };
  }
  if (interval === 'DAILY') return { schedule: daily };
  if (interval === 'NONE') return { schedule: { kind: 'none' } };
  return { problem: "'interval' is either DAILY or NONE.", member: 'interval' };
}

function readCron(text: string): ReadSchedule {
  const written = text.trim().split(/\s+/);
  if (text.length > maxCharacters || written.length !== fields.length) {
    return {
      problem: `'${text.slice(0, maxCharacters)}' is not a cron expression of five fields: minute, hour, day of the month, month, day of the week.`,
    };
  }
  const values: (readonly number[])[] = [];
  for (const [index, field] of fields.entries()) {
    const read = readField(written[index] ?? '', field);
    if (typeof read === 'string') return { problem: read };
    values.push(read);
  }
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = values;
  const schedule: Schedule = {
    kind: 'times',
    minutes,
    hours,
    days,
    months,
    weekdays: ascending(weekdays.map((day) => day % 7)),
    isEitherDay: written[2] !== '*' && written[4] !== '*',
  };
  if (nextRunAfter(schedule, 0) !== undefined) return { schedule };
  return { problem: `'${text}' never comes: no month of those has such a day.` };
}

/** The values of one field, or what is wrong with it. */
function readField(text: string, field: Field): readonly number[] | string {
  const found: number[] = [];
  for (const part of text.split(',')) {
    const values = readPart(part, field);
    if (values === undefined) {
      return `'${part}' is no ${field.name} of a cron expression: ${field.from} to ${field.to}, '*', a range such as ${field.from}-${field.to}, or a step such as */${Math.min(2, field.to)}.`;
    }
    found.push(...values);
  }
  return ascending(found);
}

function readPart(part: string, field: Field): readonly number[] | undefined {
  const [, range = '', step] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
  const [first = '', last, ...more] = range.split('-');
  const from = range === '*' ? field.from : numberIn(first, field);
  const given = range === '*' ? field.to : last === undefined ? from : numberIn(last, field);
  // `5/15` is from 5 on, as `5-59/15`.
  const to = step !== undefined && last === undefined ? field.to : given;
  const by = step === undefined ? 1 : Number(step);
  if (from === undefined || to === undefined || more.length > 0 || to < from || by < 1) return undefined;
  return span(from, to).filter((value) => (value - from) % by === 0);
}

function numberIn(text: string, { from, to, names = [] }: Field): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  if (named !== -1) return named + from;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : -1;
  return value >= from && value <= to ? value : undefined;
}

function span(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].toSorted((left, right) => left - right);
}

/**
 * The first moment of the schedule after `time`, both in milliseconds since the Unix epoch; `undefined` when it never comes.
 * A whole minute.
 */
export function nextRunAfter(schedule: Schedule, time: number): number | undefined {
  if (schedule.kind === 'none') return undefined;
  const today = Math.floor(time / dayMs) * dayMs;
  for (let count = 0; count <= maxDays; count += 1) {
    const day = today + count * dayMs;
    if (!isRunDay(schedule, new Date(day))) continue;
    for (const hour of schedule.hours) {
      for (const minute of schedule.minutes) {
        const run = day + (hour * 60 + minute) * 60_000;
        if (run > time) return run;
      }
    }
  }
  return undefined;
}

function isRunDay(schedule: Extract<Schedule, { readonly kind: 'times' }>, date: Date): boolean {
  if (!schedule.months.includes(date.getUTCMonth() + 1)) return false;
  const isDay = schedule.days.includes(date.getUTCDate());
  const isWeekday = schedule.weekdays.includes(date.getUTCDay());
  return schedule.isEitherDay ? isDay || isWeekday : isDay && isWeekday;
}
