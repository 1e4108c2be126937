/** What an error says, or a value that was thrown as one. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
