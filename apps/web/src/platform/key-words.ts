import { onDevice } from './device.ts';
import { keys, type Query } from './queries.ts';

/** A key in words that people can compare. */
export const wordsOfQuery = (publicKey: string): Query<string> => ({
  key: keys.wordsOf(publicKey),
  read: () => onDevice('wordsOf', { publicKey }),
});
