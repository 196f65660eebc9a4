/**
 * What takes long to load or to make is made at its first use, once for all callers. When that fails, the next use tries again.
 * @param make loads it, by `import()`
 */
export function atFirstUse<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
