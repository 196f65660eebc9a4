import type { WebhookHealth } from '@symbolon/protocol';

/** What can happen to a webhook's health. */
export type HealthTrigger =
  | 'delivery_failed'
  | 'probe_due'
  | 'probe_answered'
  | 'probe_failed'
  | 'switched_on';

/**
 * The table of wire 3.3. `unknown` is also the initial value: the first delivery of a new webhook is its probe. Where
 * nothing is said, the trigger cannot happen in that state.
 */
export const healthTransitions: Readonly<
  Record<WebhookHealth, Partial<Record<HealthTrigger, WebhookHealth>>>
> = {
  running: { delivery_failed: 'bad', switched_on: 'unknown' },
  bad: { probe_due: 'unknown', switched_on: 'unknown' },
  unknown: { probe_answered: 'running', probe_failed: 'bad' },
};

/** The line of the service's log that tells of a transition. */
export function transitionEntry(
  { id, health }: { id: string; health: WebhookHealth },
  to: WebhookHealth,
  trigger: HealthTrigger,
  more: Record<string, unknown> = {},
) {
  return {
    type: 'webhook' as const,
    message: `Webhook health: ${health} → ${to}`,
    metadata: { webhook_id: id, from: health, to, trigger, ...more },
  };
}
