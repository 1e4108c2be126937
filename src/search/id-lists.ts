/**
 * Lists of ids in one array: as objects of their own they would take several times the memory, and whoever goes through very many would
 * wait for the memory at each.
 */
export type IdLists = {
  /** Where the list stands, above 0, until it is removed. */
  add(ids: readonly number[]): number;
  remove(place: number): void;
  at(place: number): readonly number[];
  /** At the place of a list its length, and then its ids. Another array after an addition. */
  cells(): Int32Array;
};

const cellsAtFirst = 64;

export function createIdLists(): IdLists {
  let cells = new Int32Array(0);
  /** Nothing stands at 0. */
  let end = 1;
  /** Places that are free, by the length of what fits there. */
  const free = new Map<number, number[]>();

  function placeFor(length: number): number {
    const known = free.get(length)?.pop();
    if (known !== undefined) return known;
    const place = end;
    end += length + 1;
    if (end > cells.length) {
      const grown = new Int32Array(Math.max(cellsAtFirst, end, cells.length * 2));
      grown.set(cells);
      cells = grown;
    }
    return place;
  }

  const lengthAt = (place: number): number => cells[place] ?? 0;

  return {
    add(ids) {
      const place = placeFor(ids.length);
      cells[place] = ids.length;
      cells.set(ids, place + 1);
      return place;
    },
    remove(place) {
      const length = lengthAt(place);
      const places = free.get(length) ?? [];
      free.set(length, places);
      places.push(place);
    },
    at: (place) => [...cells.subarray(place + 1, place + 1 + lengthAt(place))],
    cells: () => cells,
  };
}
