import type { Urn } from '../urn/urn.ts';
import type { AspectSource } from './aspect-source.ts';

/** GraphQL's `SearchInsight`. */
type Insight = { readonly text: string; readonly icon: string };

/** What people should know of an entity before they use it. */
export async function insightsOf(
  urn: Urn,
  source: Pick<AspectSource, 'loadAll'>,
): Promise<readonly Insight[]> {
  const stored = await source.loadAll(urn, ['status', 'deprecation']);
  return [
    ...(stored.get('status')?.body['removed'] === true
      ? [{ text: 'Marked as removed', icon: 'DeleteOutlined' }]
      : []),
    ...(stored.get('deprecation')?.body['deprecated'] === true
      ? [{ text: 'Deprecated', icon: 'WarningOutlined' }]
      : []),
  ];
}
