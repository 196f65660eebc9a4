export { WEBHOOK_CHANNEL } from '../../../events/outbox.ts';

/** Behind a webhook's id in a signal: whoever has its lease gives it back after the POST in hand. */
export const INTERRUPT_MARK = ' interrupt';

/** Behind a webhook's id in a signal: its configuration changed, or it is gone. */
export const CONFIGURATION_MARK = ' configuration';
