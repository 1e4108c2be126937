/**
 * How many letters have to be put in, left out, replaced or swapped with their neighbour to make one word of the other
 * (optimal string alignment), or anything above `max` when it is more than that. With `isBeginning`, to make the beginning
 * of `other`, wherever it ends.
 */
export function editDistance(word: string, other: string, max: number, isBeginning = false): number {
  const own = Array.from(word);
  const letters = Array.from(other).slice(0, isBeginning ? own.length + max : undefined);
  if (own.length - letters.length > max) return max + 1;
  if (!isBeginning && letters.length - own.length > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: letters.length + 1 }, (_, index) => index);
  for (let row = 1; row <= own.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= letters.length; column += 1) {
      const isSame = own[row - 1] === letters[column - 1];
      let distance = Math.min(
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      const isSwapped = own[row - 1] === letters[column - 2] && own[row - 2] === letters[column - 1];
      if (row > 1 && column > 1 && isSwapped) {
        distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(distance);
    }
    if (Math.min(...current) > max && Math.min(...last) > max) return max + 1;
    beforeLast = last;
    last = current;
  }
  return isBeginning ? Math.min(...last) : (last.at(-1) ?? 0);
}
