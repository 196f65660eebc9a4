import type { Fetch } from './runtime.ts';

/** The fetch of browsers and of every runtime but Node; node-fetch.ts says why Node has another. */
export const platformFetch: Fetch = (url, init) => globalThis.fetch(url, init);
