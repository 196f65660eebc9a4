/** Answers overtake one another: what an older question is answered, or how it fails, is dropped. */
export function newestOnly() {
  let begun = 0;
  return async <T>(
    read: () => Promise<T>,
    told: { done: (found: T) => void; failed: (failure: unknown) => void },
  ): Promise<void> => {
    const number = ++begun;
    try {
      const found = await read();
      if (number === begun) told.done(found);
    } catch (failure) {
      if (number === begun) told.failed(failure);
    }
  };
}
