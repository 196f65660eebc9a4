/** Something that was done and can be taken back. */
export interface Done {
  /** In words, with what it was done to. */
  readonly text: string;
  readonly undo: () => Promise<void>;
}

let last: Done | undefined;
const listeners = new Set<() => void>();

function become(next: Done | undefined): void {
  last = next;
  for (const listener of listeners) listener();
}

/** Offers to take back what was just done, in place of what was done before it. */
export const offerUndo = (done: Done): void => become(done);
/** Its time is over, or it was taken back. Another one that came meanwhile stays. */
export function endUndo(done: Done): void {
  if (last === done) become(undefined);
}
/** Its author has signed out. */
export const forgetUndo = (): void => become(undefined);
export const lastDone = (): Done | undefined => last;
export function whenDone(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
