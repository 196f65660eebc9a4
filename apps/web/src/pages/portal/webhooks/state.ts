import type { Webhook, WebhookFailure } from '@symbolon/protocol';

/** How a webhook stands, for a text `webhooks.state.…`: one that is off has no health. */
export const stateOf = ({ enabled, health }: Pick<Webhook, 'enabled' | 'health'>) =>
  enabled ? health : 'off';

export const TONES = { running: 'good', bad: 'bad', unknown: 'neutral', off: 'neutral' } as const;

/** What a reason says beside its kind, for developers: `connect: ECONNREFUSED` has both. */
export function detailOf({ kind, reason }: Pick<WebhookFailure, 'kind' | 'reason'>): string | undefined {
  return reason.startsWith(`${kind}: `) ? reason.slice(kind.length + 2) : undefined;
}
