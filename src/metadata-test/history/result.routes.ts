import { PostilError } from '../../errors/postil-error.ts';
import type { Route } from '../../http/route.ts';
import { freshVerdicts } from '../keeping/fresh-verdicts.ts';
import { parseTestUrn } from '../test-entity.ts';
import type { TestServices } from '../test-services.ts';
import { listedVerdicts, resultEntities } from './result-entities.ts';

const pageSizeDefault = 100;

/** Lists of entities by verdict (specification 3.14). */
export function testResultRoutes(
  { library, verdicts, keeper }: Pick<TestServices, 'library' | 'verdicts' | 'keeper'>,
  answerError: Route['answerError'],
): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/tests/{urn}/results',
      bodyBytesMax: 0,
      answerError,
      async handle({ pathParameters, query, services }) {
        const urn = parseTestUrn(decoded(pathParameters['urn']));
        const asked = query.get('verdict') ?? 'FAIL';
        const verdict = listedVerdicts.find((name) => name === asked.toUpperCase());
        if (verdict === undefined) {
          throw new PostilError(
            'BAD_REQUEST',
            `Parameter 'verdict' must be one of ${listedVerdicts.join(', ')}, not ${JSON.stringify(asked)}`,
          );
        }
        const count = countOf(query.get('count'));
        const test = (await library.all()).get(urn);
        if (test === undefined) {
          throw new PostilError('ENTITY_NOT_FOUND', `There is no test ${urn} that can be evaluated.`);
        }
        const cursor = query.get('cursor') ?? undefined;
        await freshVerdicts(keeper);
        const page = await resultEntities(verdicts, test, { verdict, cursor, count }, services.now());
        return { status: 200, body: JSON.stringify(page) };
      },
    },
  ];
}

function countOf(text: string | null): number {
  if (text === null) return pageSizeDefault;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new PostilError(
    'BAD_REQUEST',
    `Parameter 'count' must be a whole number, not ${JSON.stringify(text)}`,
  );
}

function decoded(segment: string | undefined): string {
  try {
    return decodeURIComponent(segment ?? '');
  } catch {
    throw new PostilError('BAD_REQUEST', 'The path holds a percent sign that encodes nothing');
  }
}
