import { SymbolonError } from '@symbolon/sdk/device';
import type { Report } from '../uploads.ts';
import { errorOf, type Refusal } from './refusals.ts';

/** What a worker can do, by name; each act may tell how much of it is done. */
// biome-ignore lint/suspicious/noExplicitAny: each act has an input of its own
export type Acts = Readonly<Record<string, (input: any, report: Report) => unknown>>;
export type Asked = { id: number; act: string; input: unknown };
export type Reply =
  | { id: number; result: unknown }
  | { id: number; refusal: Refusal }
  | { id: number; share: number };

type Waiting = {
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
  report: Report;
  failed: (error: SymbolonError) => void;
};

/**
 * Does acts in a worker, so that the page stays usable.
 * @param begin is called before each act; what it gives hears how that failed
 */
export function actsOf<A extends Acts>(
  open: () => Worker,
  begin: () => (error: SymbolonError) => void = () => () => undefined,
) {
  let worker: Worker | undefined;
  let last = 0;
  const waiting = new Map<number, Waiting>();

  const start = (): Worker => {
    const started = open();
    started.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      const asked = waiting.get(data.id);
      if ('share' in data) return asked?.report(data.share);
      waiting.delete(data.id);
      if ('result' in data) asked?.resolve(data.result as never);
      else {
        const error = errorOf(data.refusal);
        asked?.failed(error);
        asked?.reject(error);
      }
    });
    // The script could not be loaded: the next act tries again.
    started.addEventListener('error', () => {
      worker = undefined;
      for (const [id, { reject }] of waiting) {
        waiting.delete(id);
        reject(
          new SymbolonError({ errorKey: 'page.worker', message: 'A part of the page could not be loaded.' }),
        );
      }
    });
    return started;
  };

  /** @throws SymbolonError with the key of the failure */
  return <Name extends keyof A & string>(
    act: Name,
    input: Parameters<A[Name]>[0],
    report: Report = () => undefined,
  ): Promise<Awaited<ReturnType<A[Name]>>> => {
    worker ??= start();
    const id = ++last;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject, report, failed: begin() });
      worker?.postMessage({ id, act, input } satisfies Asked);
    });
  };
}
