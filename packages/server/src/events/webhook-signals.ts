/** Behind a webhook's id in a signal: its configuration changed, or it is gone. */
export const CONFIGURATION_MARK = ' configuration';
