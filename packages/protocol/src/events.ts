/** Names of change events (wire 6.1). */
export const Event = {
  connectionCreated: 'connection_created',
  connectionDeleted: 'connection_deleted',
  fieldUpdated: 'field_updated',
  fieldDeleted: 'field_deleted',
  consentAccepted: 'consent_accepted',
  consentDeclined: 'consent_declined',
  documentStatusChanged: 'document_status_changed',
  documentCreated: 'document_created',
  documentUpdated: 'document_updated',
  documentDeleted: 'document_deleted',
  connectionRequestAccepted: 'connection_request_accepted',
  connectionRequestRejected: 'connection_request_rejected',
  flowRunTurn: 'flow_run_turn',
  flowCompleted: 'flow_completed',
  twoFactorChallengeCompleted: '2fa_challenge_completed',
  keyRotated: 'key_rotated',
  messageReceived: 'message_received',
  serviceKeyRotated: 'service_key_rotated',
} as const;

export type EventName = (typeof Event)[keyof typeof Event];
export const eventNames: readonly EventName[] = Object.values(Event);

/** Names of events on the account feed of a company that is a customer of services (wire 6.7). */
export const AccountEvent = {
  connectionCreated: Event.connectionCreated,
  connectionDeleted: Event.connectionDeleted,
  shareChanged: 'share_changed',
  serviceKeyRotated: Event.serviceKeyRotated,
  messageReceived: Event.messageReceived,
  documentCreated: Event.documentCreated,
  documentUpdated: Event.documentUpdated,
  documentDeleted: Event.documentDeleted,
  documentStatusChanged: Event.documentStatusChanged,
  flowRunTurn: Event.flowRunTurn,
  flowCompleted: Event.flowCompleted,
} as const;

export type AccountEventName = (typeof AccountEvent)[keyof typeof AccountEvent];
export const accountEventNames: readonly AccountEventName[] = Object.values(AccountEvent);

/** Kinds of a service log entry. */
export const LogType = { email: 'email', purge: 'purge', webhook: 'webhook', config: 'config' } as const;
export type LogTypeName = (typeof LogType)[keyof typeof LogType];
