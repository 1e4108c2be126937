import { integer, list, number, record, type Shape, text, urnOf } from '../entity/shapes/shape.ts';

type DerivedAspect = { readonly types: readonly string[]; readonly shape: Shape };

const assertions = list(record({ urn: urnOf('assertion'), type: text, source: text, lastResultAt: integer }));

/**
 * Properties that DataHub derives from statistics and events and offers in its builder, although its registry does not
 * list them for these types. They are read as ordinary aspects when they are stored, and else derived (derive-aspects.ts).
 */
export const derivedAspects: ReadonlyMap<string, DerivedAspect> = new Map([
  [
    'usageFeatures',
    {
      types: ['dataset', 'dashboard', 'chart'],
      shape: record({
        queryCountLast30Days: integer,
        queryCountPercentileLast30Days: number,
        uniqueUserCountLast30Days: integer,
        uniqueUserPercentileLast30Days: number,
        writeCountLast30Days: integer,
        writeCountPercentileLast30Days: number,
        viewCountTotal: integer,
        viewCountLast30Days: integer,
        viewCountPercentileLast30Days: number,
      }),
    },
  ],
  [
    'storageFeatures',
    {
      types: ['dataset'],
      shape: record({
        rowCount: integer,
        rowCountPercentile: number,
        sizeInBytes: integer,
        sizeInBytesPercentile: number,
      }),
    },
  ],
  [
    'assertionsSummary',
    {
      types: ['dataset'],
      shape: record({
        passingAssertions: list(urnOf('assertion')),
        failingAssertions: list(urnOf('assertion')),
        passingAssertionDetails: assertions,
        failingAssertionDetails: assertions,
      }),
    },
  ],
  ['dataContractStatus', { types: ['dataset'], shape: record({ state: text }) }],
]);
