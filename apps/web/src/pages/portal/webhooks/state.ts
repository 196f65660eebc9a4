import type { Webhook, WebhookFailure } from '@symbolon/protocol';

/** How a webhook stands, for a text `webhooks.state.…`: the health of one that sends nothing says nothing. */
export function stateOf({ enabled, paused, health }: Pick<Webhook, 'enabled' | 'paused' | 'health'>) {
  if (!enabled) return 'off';
  return paused ? 'paused' : health;
}

export const TONES = {
  running: 'good',
  bad: 'bad',
  unknown: 'neutral',
  paused: 'warn',
  off: 'neutral',
} as const;

/** What a reason says beside its kind, for developers: `connect: ECONNREFUSED` has both. */
export function detailOf({ kind, reason }: Pick<WebhookFailure, 'kind' | 'reason'>): string | undefined {
  return reason.startsWith(`${kind}: `) ? reason.slice(kind.length + 2) : undefined;
}
