/** The base for calls to another process, in its parts. */
export interface PeerBase {
  readonly origin: string;
  /** A path before those of the calls, as a proxy may want it; mostly empty. */
  readonly prefix: string;
}

/** By the text of the base: they stand in the configuration, and are few. */
const known = new Map<string, PeerBase>();

export function baseOf(text: string): PeerBase {
  let base = known.get(text);
  if (base === undefined) {
    const { origin, pathname } = new URL(text);
    base = { origin, prefix: pathname.replace(/\/$/, '') };
    known.set(text, base);
  }
  return base;
}
