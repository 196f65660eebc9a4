import { AccountEvent, type AccountEventName, Event, type EventName } from '@symbolon/protocol';

/** What identifies the thing an event is about. */
export interface EventSubject {
  readonly customerId: string;
  readonly connectionId: string | null;
  readonly requestFieldId: string | null;
  readonly documentId?: string;
  /** The event's own id: what never collapses is about itself. */
  readonly id: string;
}

type Identity = (subject: EventSubject) => string;

const ofPerson: Identity = ({ customerId }) => `person:${customerId}`;
const ofSlot =
  (kind: string): Identity =>
  ({ connectionId, requestFieldId }) =>
    `${kind}:${connectionId}:${requestFieldId}`;
const ofDocumentStatus: Identity = ({ documentId, id }) => `document-status:${documentId ?? id}`;
const ofItself = ({ id }: Pick<EventSubject, 'id'>) => `event:${id}`;

/**
 * The identity of each event on the pull feed (wire 6.2): rows of one identity replace each other, so that the feed tells
 * the latest state. Connections and requests to connect share the person's identity (rule 3), field events their slot's
 * (rule 5), status changes their document's (rule 2); everything else stands for itself.
 */
const identities: Record<EventName, Identity> = {
  [Event.connectionCreated]: ofPerson,
  [Event.connectionDeleted]: ofPerson,
  [Event.connectionRequestAccepted]: ofPerson,
  [Event.connectionRequestRejected]: ofPerson,
  [Event.fieldUpdated]: ofSlot('field'),
  [Event.fieldDeleted]: ofSlot('field'),
  [Event.consentAccepted]: ofSlot('consent'),
  [Event.consentDeclined]: ofSlot('consent'),
  [Event.documentStatusChanged]: ofDocumentStatus,
  [Event.documentCreated]: ofItself,
  [Event.documentUpdated]: ofItself,
  [Event.documentDeleted]: ofItself,
  [Event.flowRunTurn]: ofItself,
  [Event.flowCompleted]: ofItself,
  [Event.twoFactorChallengeCompleted]: ofItself,
  [Event.keyRotated]: ofItself,
  [Event.messageReceived]: ofItself,
  [Event.serviceKeyRotated]: ofItself,
};

/** Whether a row of a feed stands for itself: no other row has its key. */
export function isAboutItself(row: { readonly id: string; readonly collapse_key: string }): boolean {
  return row.collapse_key === ofItself(row);
}

/**
 * Whether an event stays on the feed beside the one of the same identity that is raised next in the same act. A request that
 * was accepted is raised together with the connection that it made.
 */
export function staysBeside(event: string, next: string): boolean {
  return event === Event.connectionCreated && next === Event.connectionRequestAccepted;
}

/** The collapse key of an event. */
export function collapseKey(event: EventName, subject: EventSubject): string {
  return identities[event](subject);
}

/**
 * What identifies an event on an account feed: a link's coming and going share the service's identity, as they share the
 * person's on a service's feed; of what a service shows, of its key and of a document's status, only the latest counts. Each
 * message stands for itself.
 */
const accountIdentities: Record<AccountEventName, string> = {
  [AccountEvent.messageReceived]: 'message',
  [AccountEvent.connectionCreated]: 'link',
  [AccountEvent.connectionDeleted]: 'link',
  [AccountEvent.shareChanged]: 'share',
  [AccountEvent.serviceKeyRotated]: 'key',
  [AccountEvent.documentCreated]: 'document-created',
  [AccountEvent.documentUpdated]: 'document-updated',
  [AccountEvent.documentDeleted]: 'document-deleted',
  [AccountEvent.documentStatusChanged]: 'document-status',
  [AccountEvent.flowRunTurn]: 'flow-turn',
  [AccountEvent.flowCompleted]: 'flow-completed',
};

/** The collapse key of an event on an account feed. */
export function accountCollapseKey(raised: {
  readonly event: AccountEventName;
  readonly serviceId: string;
  readonly about?: string;
}): string {
  return `${accountIdentities[raised.event]}:${raised.about ?? raised.serviceId}`;
}
