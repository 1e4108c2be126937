import type { JsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';

/** Where user interfaces show a property. Members that are absent stay as they are, or are false. */
export type PropertySettingsInput = {
  readonly isHidden?: boolean | null;
  readonly showInSearchFilters?: boolean | null;
  readonly showInAssetSummary?: boolean | null;
  readonly hideInAssetSummaryWhenEmpty?: boolean | null;
  readonly showAsAssetBadge?: boolean | null;
  readonly showInColumnsTable?: boolean | null;
};

export const settingNames = [
  'isHidden',
  'showInSearchFilters',
  'showInAssetSummary',
  'hideInAssetSummaryWhenEmpty',
  'showAsAssetBadge',
  'showInColumnsTable',
] as const;

/**
 * The aspect `structuredPropertySettings` with what was asked for. Throws BAD_REQUEST for a hidden property that is to be
 * shown somewhere, and for hiding in a summary what is not in the summary.
 */
export function settingsWith(
  before: JsonObject | undefined,
  input: PropertySettingsInput,
  stamp: JsonObject,
): JsonObject {
  const settings: { [name: string]: boolean } = {};
  for (const name of settingNames) settings[name] = input[name] ?? before?.[name] === true;
  const shownIn = settingNames.filter((name) => name.startsWith('show') && settings[name] === true);
  if (settings['isHidden'] === true && shownIn.length > 0) {
    throw new PostilError(
      'BAD_REQUEST',
      `A property with isHidden cannot have ${shownIn.join(', ')} as well.`,
    );
  }
  if (settings['hideInAssetSummaryWhenEmpty'] === true && settings['showInAssetSummary'] !== true) {
    throw new PostilError('BAD_REQUEST', 'hideInAssetSummaryWhenEmpty needs showInAssetSummary.');
  }
  const isUnchanged =
    before !== undefined && settingNames.every((name) => settings[name] === (before[name] === true));
  return isUnchanged ? before : { ...before, ...settings, lastModified: stamp };
}
