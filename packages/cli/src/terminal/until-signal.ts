/** A Ctrl-C reaches a process twice under `npm start`: from the terminal, and again from npm, which passes it on. */
const SAME_PRESS_MS = 1_000;

/** A terminal that closes sends SIGHUP, one that is asked for a dump SIGQUIT, and some that watch sources SIGUSR2. */
export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;

/**
 * Resolves at the first signal that ends programs. One that comes a moment later is the same again. The next one ends the process at once,
 * as it always does.
 * @param signals those that end it; a server that reads its certificate again at SIGHUP leaves that out
 */
export function untilSignal(signals: readonly NodeJS.Signals[] = END_SIGNALS): {
  readonly signalled: Promise<NodeJS.Signals>;
  forget(): void;
} {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const stopListening = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  let forget = stopListening;
  const onSignal = (signal: NodeJS.Signals) => {
    resolve(signal);
    if (forget !== stopListening) return;
    // Whoever has finished meanwhile ends in order as well.
    forget = () => {};
    setTimeout(stopListening, SAME_PRESS_MS).unref();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return { signalled: promise, forget: () => forget() };
}
