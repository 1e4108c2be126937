/** Of a typed word so many letters are compared, because their places are the bits of one number. */
export const comparedLettersMax = 31;

/** A word that somebody typed, made ready to be compared with many others. Letters are numbers. */
export type TypedLetters = {
  /** At most `comparedLettersMax`. */
  readonly length: number;
  /** By the number of a letter, in which places of the word it stands: a bit for each place. */
  readonly places: Int32Array;
};

/** Letters are numbers below `bound`; those beyond `comparedLettersMax` are left out. */
export function typedLetters(letters: readonly number[], bound: number): TypedLetters {
  const places = new Int32Array(bound);
  const length = Math.min(letters.length, comparedLettersMax);
  for (let place = 0; place < length; place += 1) {
    const letter = letters[place] ?? 0;
    places[letter] = (places[letter] ?? 0) | (1 << place);
  }
  return { length, places };
}

/**
 * How many letters have to be put in, left out, replaced or swapped with their neighbour to make the word that lies in `words` from
 * `start` up to `end` of the typed one (optimal string alignment), or anything above `max` when it is more than that. With
 * `isBeginning`, to make a beginning of the word, wherever it ends. A whole column of the table of distances lies in the bits
 * of two numbers (Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003), because a
 * dictionary is compared at every key that somebody hits.
 */
export function typingErrors(
  { length, places }: TypedLetters,
  words: Uint16Array,
  start: number,
  end: number,
  max: number,
  isBeginning: boolean,
): number {
  const last = 1 << (length - 1);
  const stop = isBeginning ? Math.min(end, start + length + max) : end;
  // In which rows of the column a distance is one above, or one below, that of the row before.
  let above = -1;
  let below = 0;
  let diagonal = 0;
  let placesBefore = 0;
  let errors = length;
  let least = length;
  for (let at = start; at < stop; at += 1) {
    const here = places[words[at] ?? 0] ?? 0;
    const swapped = ((~diagonal & here) << 1) & placesBefore;
    diagonal = ((((here & above) + above) | 0) ^ above) | here | below | swapped;
    const more = below | ~(diagonal | above);
    const fewer = diagonal & above;
    if ((more & last) !== 0) errors += 1;
    else if ((fewer & last) !== 0) errors -= 1;
    if (isBeginning) {
      if (errors < least) least = errors;
    } else if (errors - (stop - at - 1) > max) {
      return max + 1;
    }
    const moved = (more << 1) | 1;
    above = (fewer << 1) | ~(diagonal | moved);
    below = moved & diagonal;
    placesBefore = here;
  }
  return isBeginning ? least : errors;
}
