import { type Change, ChangePump, type DataClient } from '@symbolon/sdk';
import { Problem } from '../problem.ts';

/** The company's backend at work: a pump with its durable buffer, and what has come through it. */
export function followChanges(client: DataClient, file: string) {
  const seen: Change[] = [];
  let wake = Promise.withResolvers<void>();
  const pump = new ChangePump({
    client,
    file,
    pollMs: 50,
    idlePollMs: 250,
    handle: (change) => {
      seen.push(change);
      wake.resolve();
      wake = Promise.withResolvers<void>();
    },
  });
  pump.start();
  return {
    seen: (): readonly Change[] => seen,
    /** The first change that fits, as soon as it has come. @throws Problem when it does not come in time */
    async until(fits: (change: Change) => boolean): Promise<Change> {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => late.reject(new Problem('The change did not arrive by the feed.')),
        PATIENCE_MS,
      );
      try {
        for (;;) {
          const next = wake.promise;
          const found = seen.find(fits);
          if (found) return found;
          await Promise.race([next, late.promise]);
        }
      } finally {
        clearTimeout(timer);
      }
    },
    stop: () => pump.stop(),
  };
}

const PATIENCE_MS = 15_000;
