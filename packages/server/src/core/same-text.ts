import { timingSafeEqual } from 'node:crypto';

/** Whether two texts are the same, in a time that tells nothing of how much of one is right. */
export function isSameText(typed: string, expected: string): boolean {
  const [a, b] = [Buffer.from(typed), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
