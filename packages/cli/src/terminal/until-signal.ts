/** A Ctrl-C reaches a process twice under `npm start`: from the terminal, and again from npm, which passes it on. */
const SAME_PRESS_MS = 1_000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Resolves at the first SIGINT or SIGTERM. One that comes a moment later is the same again. The next one ends the process at once, as it
 * always does.
 */
export function untilSignal(): { readonly signalled: Promise<NodeJS.Signals>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const stopListening = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  let forget = stopListening;
  const onSignal = (signal: NodeJS.Signals) => {
    resolve(signal);
    if (forget !== stopListening) return;
    // Whoever has finished meanwhile ends in order as well.
    forget = () => {};
    setTimeout(stopListening, SAME_PRESS_MS).unref();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return { signalled: promise, forget: () => forget() };
}
