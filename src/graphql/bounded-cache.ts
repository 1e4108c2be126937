/** A cache that forgets what was used least recently once it holds too much. */
export type BoundedCache<Value> = {
  readonly size: number;
  get(key: string): Value | undefined;
  /** Keeps a value of a size in the unit of `maxSize`; one that is too large on its own is not kept. */
  set(key: string, value: Value, size: number): void;
  delete(key: string): void;
};

export type CacheBounds<Value> = {
  readonly maxEntries: number;
  readonly maxSize: number;
  /** Called for every value that leaves the cache. */
  readonly onRemove?: (value: Value, key: string) => void;
};

type Entry<Value> = { readonly value: Value; readonly size: number };

export function createBoundedCache<Value>(bounds: CacheBounds<Value>): BoundedCache<Value> {
  const { maxEntries, maxSize, onRemove } = bounds;
  // A Map keeps the order of insertion, so the first key is the one that was used least recently.
  const entries = new Map<string, Entry<Value>>();
  let total = 0;
  let newest: string | undefined;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    total -= entry.size;
    onRemove?.(entry.value, key);
  }

  return {
    get size() {
      return total;
    },
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (key !== newest) {
        entries.delete(key);
        entries.set(key, entry);
        newest = key;
      }
      return entry.value;
    },
    set(key, value, size) {
      remove(key);
      if (size > maxSize) return;
      entries.set(key, { value, size });
      newest = key;
      total += size;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && total <= maxSize) break;
        remove(oldest);
      }
    },
    delete: remove,
  };
}
