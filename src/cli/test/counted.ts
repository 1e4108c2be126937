/** `1 test`, `2 tests`; the plural is the singular with an s unless it is given. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
