import type { WebhookAttempt } from '@symbolon/protocol';

/** How a webhook did lately. Examples say nothing of that. */
export function summaryOf(attempts: readonly WebhookAttempt[]) {
  const deliveries = attempts.filter(({ test }) => !test);
  const answered = deliveries.filter(({ delivered }) => delivered);
  const times = answered.map(({ duration_ms: ms }) => ms).sort((one, other) => one - other);
  /** The time within which a share of them was answered. */
  const within = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)];
  return { count: deliveries.length, answered: answered.length, median: within(0.5), slow: within(0.99) };
}
