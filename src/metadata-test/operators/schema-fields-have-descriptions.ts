import { isJsonObject } from '../../aspect/json.ts';
import { isEmptyValue } from '../emptiness.ts';
import { type Operator, textOperand } from './operator.ts';

export const schemaFieldsHaveDescriptions: Operator = {
  id: 'schema_fields_have_descriptions',
  description: 'There is a column, and every column has a description, edited or ingested.',
  takes: 'none',
  valueTypes: new Set(['column']),
  quantifier: 'every',
  readsDefault: false,
  parseOperand: textOperand,
  compile: () => (value) => isJsonObject(value) && !isEmptyValue(value['description'] ?? null),
};
