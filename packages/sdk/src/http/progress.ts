/** How far a call is that carries a file. When the library repeats the call, it begins again. */
export type Progress = {
  direction: 'up' | 'down';
  /** Of the request or answer as it is sent: a sealed file is longer than the file. */
  bytes: number;
  /** Undefined where the answer does not say it. */
  total: number | undefined;
};

export type OnProgress = (progress: Progress) => void;

/** How a call that carries a file is followed and stopped. */
export type Transfer = { signal?: AbortSignal | undefined; onProgress?: OnProgress | undefined };

/** What concerns the transfer among other options. */
export const transferOf = ({ signal, onProgress }: Transfer): Transfer => ({ signal, onProgress });

/** Makes one progress of several uploads of the same size. @param at which of them, from 0 */
export function partOf(
  onProgress: OnProgress | undefined,
  { at, count }: { at: number; count: number },
): OnProgress | undefined {
  return (
    onProgress &&
    (({ direction, bytes, total }) => {
      if (direction === 'down' || total === undefined) return;
      onProgress({ direction, bytes: at * total + bytes, total: count * total });
    })
  );
}
