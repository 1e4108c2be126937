import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { isJsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';

/** The GraphQL input `FilterInput`. */
export type MeasurementFilter = {
  readonly and: readonly {
    readonly field: string;
    readonly values?: readonly string[] | null;
    readonly negated?: boolean | null;
    readonly condition?: string | null;
  }[];
};

/**
 * Whether a stored measurement fulfils all criteria. Fields are members, `a.b` is a member of a member. Throws BAD_REQUEST
 * for conditions other than EQUAL, IN and EXISTS.
 */
export function fulfils(measurement: JsonObject, filter: MeasurementFilter | null | undefined): boolean {
  return (filter?.and ?? []).every(({ field, values, negated, condition }) => {
    const found = memberAt(measurement, field);
    return isMet(field, found, condition ?? 'EQUAL', values ?? []) !== (negated === true);
  });
}

function isMet(
  field: string,
  found: JsonValue | undefined,
  condition: string,
  values: readonly string[],
): boolean {
  if (condition === 'EXISTS') return found !== undefined && found !== null;
  if (condition === 'EQUAL' || condition === 'IN') {
    return (
      found !== undefined && found !== null && typeof found !== 'object' && values.includes(String(found))
    );
  }
  throw new PostilError(
    'BAD_REQUEST',
    `Measurements cannot be filtered by ${field} ${condition}; use EQUAL, IN or EXISTS.`,
  );
}

function memberAt(measurement: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = measurement;
  for (const member of path.split('.')) value = isJsonObject(value) ? value[member] : undefined;
  return value;
}
