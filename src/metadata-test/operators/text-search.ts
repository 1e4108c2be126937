/**
 * A search for one text in others that takes time in proportion to their length, whatever they are (Knuth, Morris, Pratt).
 * The built-in search does not: a text of one letter, searched for a long text of that letter with another one in its
 * middle, takes the product of the lengths.
 */
export function compileSearch(wanted: string): (text: string) => boolean {
  if (wanted.length <= shortLength) return (text) => text.includes(wanted);
  const borders = bordersOf(wanted);
  return (text) => {
    let matched = 0;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
      if (wanted.charCodeAt(matched) === unit) matched += 1;
      if (matched === wanted.length) return true;
    }
    return false;
  };
}

/** Up to this length the built-in search is fast whatever the texts are (measured). */
const shortLength = 100;

/** Of each prefix the length of its longest proper prefix that is also its suffix. */
function bordersOf(wanted: string): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let matched = 0;
  for (let index = 1; index < wanted.length; index += 1) {
    const unit = wanted.charCodeAt(index);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === unit) matched += 1;
    borders[index] = matched;
  }
  return borders;
}
