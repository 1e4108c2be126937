/**
 * Entries that were used lately, in two generations: what is not used while a whole generation is filled is forgotten. Costs
 * one or two look-ups, and no list to keep in order.
 */
export type RecentlyUsed<Value> = {
  get(key: string | number): Value | undefined;
  /** Keeps a value of a size in the unit of `sizeMax`. */
  set(key: string | number, value: Value, size: number): void;
  delete(key: string | number): void;
  clear(): void;
};

/** `sizeMax` is the bound on both generations together. */
export function createRecentlyUsed<Value>(sizeMax: number): RecentlyUsed<Value> {
  type Entry = { readonly value: Value; readonly size: number };
  let young = new Map<string | number, Entry>();
  let old = new Map<string | number, Entry>();
  let youngSize = 0;

  function put(key: string | number, entry: Entry): void {
    if (youngSize + entry.size > sizeMax / 2) {
      old = young;
      young = new Map();
      youngSize = 0;
    }
    young.set(key, entry);
    youngSize += entry.size;
  }

  return {
    get(key) {
      const recent = young.get(key);
      if (recent !== undefined) return recent.value;
      const entry = old.get(key);
      if (entry === undefined) return undefined;
      old.delete(key);
      put(key, entry);
      return entry.value;
    },
    set(key, value, size) {
      put(key, { value, size });
    },
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    clear() {
      young = new Map();
      old = new Map();
      youngSize = 0;
    },
  };
}
