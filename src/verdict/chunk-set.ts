/** How many entity numbers share one stored row of verdicts. */
export const chunkSpan = 8_192;

const bitmapBytes = chunkSpan / 8;

/**
 * A set of entities of one chunk, as a bitmap of `chunkSpan` bits. Compact whatever it holds: a million entities with a
 * verdict of one test take 122 of them.
 */
export type ChunkSet = Uint8Array;

/** The chunk that an entity number belongs to. */
export function chunkOf(entity: number): number {
  return Math.floor(entity / chunkSpan);
}

/** An entity's place within its chunk. */
export function offsetOf(entity: number): number {
  return entity % chunkSpan;
}

export function emptyChunkSet(): ChunkSet {
  return new Uint8Array(bitmapBytes);
}

export function hasOffset(set: ChunkSet, offset: number): boolean {
  return ((set[offset >> 3] ?? 0) & (1 << (offset & 7))) !== 0;
}

export function addOffset(set: ChunkSet, offset: number): void {
  set[offset >> 3] = (set[offset >> 3] ?? 0) | (1 << (offset & 7));
}

export function removeOffset(set: ChunkSet, offset: number): void {
  set[offset >> 3] = (set[offset >> 3] ?? 0) & ~(1 << (offset & 7));
}

/** Makes the members of one set members of another. */
export function addMembers(into: ChunkSet, members: ChunkSet): void {
  // An iterator would cost many times what is done here.
  for (let byte = 0; byte < members.length; byte += 1) into[byte] = (into[byte] ?? 0) | (members[byte] ?? 0);
}

export function sizeOfSet(set: ChunkSet): number {
  let size = 0;
  for (const byte of set) size += bitCounts[byte] ?? 0;
  return size;
}

/** Offsets of the members, ascending. */
export function* offsetsIn(set: ChunkSet): Generator<number> {
  for (let index = 0; index < set.length; index += 1) {
    const byte = set[index] ?? 0;
    if (byte === 0) continue;
    for (let bit = 0; bit < 8; bit += 1) if ((byte & (1 << bit)) !== 0) yield index * 8 + bit;
  }
}

/** Members of `left` that are not in `right`. */
export function minus(left: ChunkSet, right: ChunkSet): ChunkSet {
  return left.map((byte, index) => byte & ~(right[index] ?? 0));
}

export function isSameSet(left: ChunkSet, right: ChunkSet): boolean {
  return left.every((byte, index) => byte === right[index]);
}

/**
 * The stored form: nothing for an empty set, 16-bit offsets (big-endian, ascending) where those are shorter than the
 * bitmap, else the bitmap. Which of them it is, the length says.
 */
export function encodeChunkSet(set: ChunkSet): Uint8Array {
  const size = sizeOfSet(set);
  if (size * 2 >= bitmapBytes) return set;
  const offsets = new Uint8Array(size * 2);
  let at = 0;
  for (const offset of offsetsIn(set)) {
    offsets[at] = offset >> 8;
    offsets[at + 1] = offset & 255;
    at += 2;
  }
  return offsets;
}

/** Reads what `encodeChunkSet` wrote; a set of its own, to be changed freely. */
export function decodeChunkSet(stored: Uint8Array): ChunkSet {
  if (stored.length === bitmapBytes) return stored.slice();
  const set = emptyChunkSet();
  for (let at = 0; at + 1 < stored.length; at += 2) {
    addOffset(set, ((stored[at] ?? 0) << 8) | (stored[at + 1] ?? 0));
  }
  return set;
}

const bitCounts = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let rest = byte; rest !== 0; rest >>= 1) count += rest & 1;
  return count;
});
