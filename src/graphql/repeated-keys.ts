const keysPerGeneration = 4_096;

/**
 * Tells what is asked for again and again from what is asked for once: true when the key was asked about among the last few
 * thousand. Keeping an answer costs more than it saves unless it is asked for again, and what is asked for once must not
 * push out what is asked for often.
 */
export function createRepeatedKeys(): (key: string) => boolean {
  let young = new Set<string>();
  let old = new Set<string>();
  return (key) => {
    if (young.has(key)) return true;
    const isKnown = old.has(key);
    if (young.size >= keysPerGeneration) {
      old = young;
      young = new Set();
    }
    young.add(key);
    return isKnown;
  };
}
