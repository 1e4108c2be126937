import { ageTest, durationOperand, printDuration } from './duration.ts';
import { type Operator, valueTypes } from './operator.ts';

export const newerThan: Operator = {
  id: 'newer_than',
  description:
    'A point in time lies less than the given duration before the time of evaluation, or after it.',
  takes: 'one',
  isExtension: true,
  valueTypes: valueTypes('timestamp', 'number', 'string'),
  quantifier: 'any',
  readsDefault: false,
  parseOperand: durationOperand,
  printOperand: printDuration,
  compile: ([age]) =>
    ageTest(
      (time, now) => time > now - Number(age),
      (time) => Math.ceil(time + Number(age)),
    ),
};
