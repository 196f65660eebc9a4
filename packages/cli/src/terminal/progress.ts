/** Shows how far a long read is. */
export interface Progress {
  total(count: number): void;
  done(count: number): void;
  stop(): void;
}

/** A bar on stderr, or nothing when that is no terminal: the output proper stays clean for pipes. */
export async function showProgress(what: string): Promise<Progress> {
  if (!process.stderr.isTTY) return { total: () => undefined, done: () => undefined, stop: () => undefined };
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format: `{bar} {value}/{total} ${what}  {eta_formatted}`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    barCompleteChar: '━',
    barIncompleteChar: '─',
    etaBuffer: 200,
    formatTime: timeLeft,
  });
  let started = false;
  return {
    total(count) {
      if (started) bar.setTotal(count);
      else bar.start(count, 0);
      started = true;
    },
    done: (count) => {
      if (started) bar.update(count);
    },
    stop() {
      if (started) bar.stop();
    },
  };
}

/**
 * How long it still takes; nothing as long as that is not known.
 * @param seconds as the bar counts them: a text before anything has moved
 */
export function timeLeft(seconds: number | string): string {
  if (typeof seconds === 'string') return '';
  if (seconds < 60) return `${seconds} s left`;
  return `${Math.ceil(seconds / 60)} min left`;
}
