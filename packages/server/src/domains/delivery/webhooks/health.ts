import type { WebhookHealth } from '@symbolon/protocol';

/** What can happen to a webhook's health. */
export type HealthTrigger = 'delivery_failed' | 'probe_due' | 'probe_answered' | 'probe_failed';

/**
 * The table of wire 3.3. `unknown` is also the initial value: the first delivery of a new webhook is its probe. Where
 * nothing is said, the trigger cannot happen in that state.
 */
export const healthTransitions: Readonly<
  Record<WebhookHealth, Partial<Record<HealthTrigger, WebhookHealth>>>
> = {
  running: { delivery_failed: 'bad' },
  bad: { probe_due: 'unknown' },
  unknown: { probe_answered: 'running', probe_failed: 'bad' },
};
