export { WEBHOOK_CHANNEL } from '../../../events/outbox.ts';

/** Behind a webhook's id in a signal: the process that has its lease releases it after the current POST. */
export const INTERRUPT_MARK = ' interrupt';

/** Behind a webhook's id in a signal: its configuration changed, or it is gone. */
export const CONFIGURATION_MARK = ' configuration';
