/** Keeps what was used last, as far as there is room. */
export type Recent<Key, Value> = {
  get(key: Key): Value | undefined;
  /** `size` in the unit of `sizeMax`; what is larger than half of that is not kept. */
  set(key: Key, value: Value, size: number): void;
  delete(key: Key): void;
  clear(): void;
};

type Entry<Value> = { readonly value: Value; readonly size: number };

/**
 * In two generations: what is used lies in the young one, and when that has half of the room, it takes the place of the old one,
 * of which the rest is forgotten. One list in the order of use would have to skip all that was taken out of its beginning.
 */
export function createRecent<Key, Value>(sizeMax: number): Recent<Key, Value> {
  let young = new Map<Key, Entry<Value>>();
  let old = new Map<Key, Entry<Value>>();
  let size = 0;

  function put(key: Key, entry: Entry<Value>): void {
    if (size + entry.size > sizeMax / 2) {
      old = young;
      young = new Map();
      size = 0;
    }
    young.set(key, entry);
    size += entry.size;
  }

  function remove(key: Key): void {
    size -= young.get(key)?.size ?? 0;
    young.delete(key);
    old.delete(key);
  }

  return {
    get(key) {
      const entry = young.get(key);
      if (entry !== undefined) return entry.value;
      const older = old.get(key);
      if (older === undefined) return undefined;
      old.delete(key);
      put(key, older);
      return older.value;
    },
    set(key, value, entrySize) {
      remove(key);
      if (entrySize <= sizeMax / 2) put(key, { value, size: entrySize });
    },
    delete: remove,
    clear() {
      young.clear();
      old.clear();
      size = 0;
    },
  };
}
