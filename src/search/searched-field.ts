import { suggestion } from '../entity/nearest-name.ts';
import { PostilError } from '../errors/postil-error.ts';
import {
  type SearchField,
  searchFieldAliases,
  searchFieldNamed,
  searchFields,
} from '../search-index/search-fields.ts';

/** The field that is meant. Throws BAD_REQUEST, naming the nearest one: what is unknown filters nothing and sorts nothing. */
export function requireSearchField(asked: string): SearchField {
  const field = searchFieldNamed(asked);
  if (field !== undefined) return field;
  const known = [...searchFields().map(({ name }) => name), ...searchFieldAliases().keys()];
  throw new PostilError('BAD_REQUEST', `There is no search field "${asked}".${suggestion(asked, known)}`);
}
