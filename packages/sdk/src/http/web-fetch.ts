/** The fetch of browsers, and of whatever else is not Node: see node-fetch.ts for why Node has another. */
export const platformFetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init);
