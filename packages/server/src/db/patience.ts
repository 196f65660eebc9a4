import { outageOf } from './engine-errors.ts';

/** Until when a database that is away is tried again and again, of `performance.now()`: while the process starts. */
export interface Patience {
  until: number;
}

const TRY_AGAIN_MS = 1000;

/**
 * Does work on a database that may start later than this process.
 * @param waits called with each failure after which it is tried again
 * @throws what `work` throws last
 */
export async function patiently<T>(
  work: () => Promise<T>,
  patience: Patience,
  waits: (error: unknown) => void = () => {},
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (outageOf(error) !== 'away' || performance.now() + TRY_AGAIN_MS > patience.until) throw error;
      waits(error);
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    }
  }
}
