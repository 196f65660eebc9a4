/**
 * A key of Web Crypto, by way of the function that makes one: the types of browsers have it as a global, those of Node
 * do not, and a program may have either.
 */
export type CryptoKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;
