/** Public calls that seal nothing to a key of an answer, with what they do instead. */
export const CALLS_THAT_SEND_NOTHING: ReadonlyMap<string, string> = new Map();
export const SEALING_FILES: Readonly<Record<string, string>> = {};
