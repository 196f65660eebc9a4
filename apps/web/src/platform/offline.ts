/** The platform does not answer. What pages show is as it last was. */
export interface Offline {
  /** The time of the oldest answer that is shown; undefined as long as none is. */
  readonly since: number | undefined;
}

let now: Offline | undefined;
const listeners = new Set<() => void>();

function become(next: Offline | undefined): void {
  now = next;
  for (const listener of listeners) listener();
}

export const lastOffline = (): Offline | undefined => now;

/** @returns ends it */
export function whenOffline(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A call was not answered. @param at when what is shown in its place was answered */
export function noteUnanswered(at?: number): void {
  const since = at === undefined ? now?.since : Math.min(at, now?.since ?? at);
  if (now === undefined || since !== now.since) become({ since });
}

/** A call was answered, whatever the answer is. */
export function noteAnswered(): void {
  if (now !== undefined) become(undefined);
}
