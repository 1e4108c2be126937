import { PostilError } from '../errors/postil-error.ts';

const secondsUsual = 1;

/** When to try again, for statuses that say that it may help. */
export function retryHeader(status: number, error: unknown): Record<string, string> {
  if (status !== 429 && status !== 503) return {};
  const seconds = error instanceof PostilError ? error.retryAfterSeconds : undefined;
  return { 'Retry-After': String(seconds ?? secondsUsual) };
}
