import type { Terminal } from './command-line.ts';

const redrawMs = 100;

/** One line that is drawn over again; silent where nobody watches, so that logs stay readable. */
export type ProgressLine = {
  show(text: string): void;
  clear(): void;
};

export function createProgressLine(terminal: Terminal, now: () => number): ProgressLine {
  if (!terminal.isInteractive) return { show: () => undefined, clear: () => undefined };
  let last = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    show(text) {
      if (now() - last < redrawMs) return;
      last = now();
      isShown = true;
      terminal.err(`\r\x1b[2K${text}`);
    },
    clear() {
      if (isShown) terminal.err('\r\x1b[2K');
      isShown = false;
    },
  };
}

/** `[########------------]  40 %`. `part` is from 0 to 1. */
export function progressBar(part: number): string {
  const width = 24;
  const full = Math.round(Math.min(1, Math.max(0, part)) * width);
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}] ${String(Math.floor(part * 100)).padStart(3)} %`;
}
