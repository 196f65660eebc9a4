/**
 * Bounds the number of entries of an `LRUCache`. Its own `max` takes the memory for all of them when it is made, which a process pays
 * at its start for caches that mostly stay empty.
 */
export const entriesMost = (most: number) => ({ maxSize: most, sizeCalculation: () => 1 });
