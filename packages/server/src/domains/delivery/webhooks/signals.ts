export { WEBHOOK_CHANNEL } from '../../../events/outbox.ts';
export { CONFIGURATION_MARK } from '../../../events/webhook-signals.ts';

/** Behind a webhook's id in a signal: the process that has its lease releases it after the current POST. */
export const INTERRUPT_MARK = ' interrupt';
