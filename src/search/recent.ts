/** Keeps what was used last, as far as there is room. */
export type Recent<Key, Value> = {
  get(key: Key): Value | undefined;
  /** `size` in the unit of `sizeMax`; what is too large on its own is not kept. */
  set(key: Key, value: Value, size: number): void;
  delete(key: Key): void;
  clear(): void;
};

export function createRecent<Key, Value>(sizeMax: number): Recent<Key, Value> {
  // A Map keeps the order of insertion, so its first key was used least recently.
  const entries = new Map<Key, { readonly value: Value; readonly size: number }>();
  let total = 0;

  function remove(key: Key): void {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, size) {
      remove(key);
      if (size > sizeMax) return;
      entries.set(key, { value, size });
      total += size;
      for (const oldest of entries.keys()) {
        if (total <= sizeMax) break;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      entries.clear();
      total = 0;
    },
  };
}
