/** Resolves at the first SIGINT or SIGTERM. The second one ends the process at once, as it always does. */
export function untilSignal(): { readonly signalled: Promise<NodeJS.Signals>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const onSignal = (signal: NodeJS.Signals) => {
    forget();
    resolve(signal);
  };
  const forget = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return { signalled: promise, forget };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
