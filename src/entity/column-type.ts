import type { JsonObject } from '../aspect/json.ts';
import { objectIn } from './stored-member.ts';

/** Contract section 10.5. */
const dataTypes: ReadonlyMap<string, string> = new Map([
  ['BooleanType', 'BOOLEAN'],
  ['FixedType', 'FIXED'],
  ['StringType', 'STRING'],
  ['BytesType', 'BYTES'],
  ['NumberType', 'NUMBER'],
  ['DateType', 'DATE'],
  ['TimeType', 'TIME'],
  ['EnumType', 'ENUM'],
  ['NullType', 'NULL'],
  ['MapType', 'MAP'],
  ['ArrayType', 'ARRAY'],
  ['UnionType', 'UNION'],
  ['RecordType', 'STRUCT'],
]);

/** The value of the enum `SchemaFieldDataType` for a stored column. */
export function dataTypeOf(field: JsonObject | undefined): string {
  return dataTypes.get(unionMember(objectIn(objectIn(field, 'type'), 'type'))[0]) ?? 'NULL';
}

/** The only member of a stored union: the last part of its class, and the record. */
export function unionMember(
  union: JsonObject | undefined,
): [className: string, record: JsonObject | undefined] {
  const [fullClass] = Object.keys(union ?? {});
  if (fullClass === undefined) return ['', undefined];
  return [fullClass.substring(fullClass.lastIndexOf('.') + 1), objectIn(union, fullClass)];
}
