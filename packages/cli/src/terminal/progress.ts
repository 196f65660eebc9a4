/** Shows how far a long read is. */
export interface Progress {
  total(count: number): void;
  done(count: number): void;
  stop(): void;
}

/** Where a bar is drawn. */
interface Screen {
  readonly columns?: number;
  write(text: string): unknown;
}

const BAR_CHARACTERS = 40;
const SHOWN_EVERY_MS = 100;
/** So many of the last steps tell how fast it is. */
const RECENT = 200;
const CLEARED = '\r\u001b[K';

/** A bar on stderr, or nothing when that is no terminal: the output proper stays clean for pipes. */
export function showProgress(what: string): Progress {
  if (!process.stderr.isTTY) return { total: () => undefined, done: () => undefined, stop: () => undefined };
  return progressBar(what, process.stderr);
}

/** A bar on a screen. @param now milliseconds */
export function progressBar(what: string, screen: Screen, now = () => performance.now()): Progress {
  let total: number | undefined;
  let shownAt = Number.NEGATIVE_INFINITY;
  let steps: { at: number; value: number }[] = [];
  const show = (value: number) => {
    if (total === undefined || now() - shownAt < SHOWN_EVERY_MS) return;
    shownAt = now();
    const line = `${barOf(value, total)} ${value}/${total} ${what}  ${timeLeft(secondsLeft(total - value, steps))}`;
    screen.write(`${CLEARED}${line.slice(0, (screen.columns ?? 80) - 1)}`);
  };
  return {
    total(count) {
      if (total === undefined) steps = [{ at: now(), value: 0 }];
      total = count;
      show(steps.at(-1)?.value ?? 0);
    },
    done(count) {
      if (total === undefined) return;
      steps = [...steps, { at: now(), value: count }].slice(-RECENT);
      show(count);
    },
    stop() {
      if (total !== undefined) screen.write(CLEARED);
    },
  };
}

function barOf(value: number, total: number): string {
  const part = total > 0 ? Math.min(Math.max(value / total, 0), 1) : 1;
  return '━'.repeat(Math.round(part * BAR_CHARACTERS)).padEnd(BAR_CHARACTERS, '─');
}

/** Undefined before anything has moved. */
function secondsLeft(remaining: number, steps: readonly { at: number; value: number }[]): number | undefined {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined || last.value <= first.value) return undefined;
  return Math.max(0, Math.ceil((remaining * (last.at - first.at)) / (last.value - first.value) / 1000));
}

/** How long it still takes; nothing as long as that is not known. */
function timeLeft(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  if (seconds < 60) return `${seconds} s left`;
  return `${Math.ceil(seconds / 60)} min left`;
}
