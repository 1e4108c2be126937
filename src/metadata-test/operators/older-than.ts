import { ageTest, durationOperand, printDuration } from './duration.ts';
import { type Operator, valueTypes } from './operator.ts';

export const olderThan: Operator = {
  id: 'older_than',
  description: 'A point in time lies more than the given duration before the time of evaluation.',
  takes: 'one',
  isExtension: true,
  valueTypes: valueTypes('timestamp', 'number', 'string'),
  quantifier: 'any',
  readsDefault: false,
  parseOperand: durationOperand,
  printOperand: printDuration,
  compile: ([age]) =>
    ageTest(
      (time, now) => time < now - Number(age),
      (time) => Math.floor(time + Number(age)) + 1,
    ),
};
