/** A longer list is sorted several times as fast by marking where its numbers stand. */
const sortedAsListMax = 2_000;

/** False for what no entry can have as a term, because it is nothing, or more than one. */
export function isTerm(text: string): boolean {
  return text !== '' && !/[\s\0]/.test(text);
}

/** The numbers of all lists ascending, each once. */
export function ascendingNumbers(lists: readonly ArrayLike<number>[]): Uint32Array {
  const numbers = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0));
  let end = 0;
  for (const list of lists) {
    numbers.set(list, end);
    end += list.length;
  }
  return numbers.length > sortedAsListMax ? sortedByMarks(numbers) : sortedOnce(numbers);
}

function sortedOnce(numbers: Uint32Array): Uint32Array {
  numbers.sort();
  let count = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0;
    if (count > 0 && numbers[count - 1] === number) continue;
    numbers[count] = number;
    count += 1;
  }
  return numbers.subarray(0, count);
}

function sortedByMarks(numbers: Uint32Array): Uint32Array {
  let last = 0;
  for (let at = 0; at < numbers.length; at += 1) last = Math.max(last, numbers[at] ?? 0);
  const isHeld = new Uint8Array(last + 1);
  for (let at = 0; at < numbers.length; at += 1) isHeld[numbers[at] ?? 0] = 1;
  let count = 0;
  for (let number = 0; number <= last; number += 1) {
    if (isHeld[number] === 0) continue;
    numbers[count] = number;
    count += 1;
  }
  return numbers.subarray(0, count);
}

/** Those of an ascending list that are asked about. */
export function heldBy(bearers: Uint32Array, among: readonly number[]): Uint32Array {
  const asked = new Set(among);
  return bearers.filter((bearer) => asked.has(bearer));
}
