/** Keeps the first so many of what it is offered, in a heap with the last of them on top. */
export class FirstOf<Member> {
  readonly #count: number;
  readonly #compare: (one: Member, other: Member) => number;
  readonly #heap: Member[] = [];
  offered = 0;

  constructor(count: number, compare: (one: Member, other: Member) => number) {
    this.#count = count;
    this.#compare = compare;
  }

  add(key: Member): void {
    this.offered += 1;
    const [last] = this.#heap;
    if (this.#heap.length < this.#count) {
      this.#heap.push(key);
      this.#rise(this.#heap.length - 1);
    } else if (last !== undefined && this.#compare(key, last) < 0) {
      this.#heap[0] = key;
      this.#sink();
    }
  }

  sorted(): readonly Member[] {
    return this.#heap.toSorted(this.#compare);
  }

  #isAbove(place: number, other: number): boolean {
    const [one, two] = [this.#heap[place], this.#heap[other]];
    return one !== undefined && two !== undefined && this.#compare(one, two) > 0;
  }

  #swap(place: number, other: number): void {
    const [one, two] = [this.#heap[place], this.#heap[other]];
    if (one === undefined || two === undefined) return;
    this.#heap[place] = two;
    this.#heap[other] = one;
  }

  #rise(from: number): void {
    for (let place = from; place > 0;) {
      const parent = (place - 1) >> 1;
      if (!this.#isAbove(place, parent)) return;
      this.#swap(place, parent);
      place = parent;
    }
  }

  #sink(): void {
    for (let place = 0; ;) {
      const left = place * 2 + 1;
      const child = this.#isAbove(left + 1, left) ? left + 1 : left;
      if (!this.#isAbove(child, place)) return;
      this.#swap(place, child);
      place = child;
    }
  }
}
