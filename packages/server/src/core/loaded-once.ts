/**
 * A module, or what else takes long, that is loaded at the first use, and again after a failure. `import()` by itself asks the loader each time, which takes some 5 µs also for a
 * module that is there.
 *
 * @example
 * const library = loadedOnce(() => import('undici'));
 * const { Agent } = await library();
 */
export function loadedOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
