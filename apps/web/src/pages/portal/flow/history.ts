/** What can be taken back, and what was taken back. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** What the last change was to: further changes to the same are taken back with it, as the letters of a word. */
  readonly subject: string | undefined;
}

export type Step<T> =
  | { readonly act: 'change'; readonly to: T; readonly subject?: string | undefined }
  | { readonly act: 'undo' }
  | { readonly act: 'redo' }
  /** Begins again with what a colleague saved. */
  | { readonly act: 'reset'; readonly to: T };

const MOST = 200;

export const begun = <T>(present: T): History<T> => ({ past: [], present, future: [], subject: undefined });

export function step<T>(history: History<T>, next: Step<T>): History<T> {
  const { past, present, future, subject } = history;
  if (next.act === 'reset') return begun(next.to);
  if (next.act === 'change') {
    if (next.to === present) return history;
    const goesOn = next.subject !== undefined && next.subject === subject;
    const before = goesOn ? past : [...past, present].slice(-MOST);
    return { past: before, present: next.to, future: [], subject: next.subject };
  }
  if (next.act === 'undo') {
    const before = past.at(-1);
    if (before === undefined) return history;
    return { past: past.slice(0, -1), present: before, future: [present, ...future], subject: undefined };
  }
  const [after, ...rest] = future;
  if (after === undefined) return history;
  return { past: [...past, present], present: after, future: rest, subject: undefined };
}
