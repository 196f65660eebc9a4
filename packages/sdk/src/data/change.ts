import type { ChangeEvent } from '@symbolon/protocol';
import type { Value } from './value.ts';

/**
 * An event of the feed, opened and typed (wire 2.5, 6.2). Members that an event does not have are absent. `raw` is the
 * event as it was received, with members that this library does not know.
 */
export type Change = {
  /** The deduplication key of the feed. */
  id: string;
  /** A name of wire 6.1, such as `field_updated`. */
  event: string;
  personId: string;
  shareCode: string | null;
  customerType: 'person' | 'company';
  at: string;
  connectionId?: string;
  /** The service's request slug. */
  slug?: string;
  /** Of `field_updated`: the slot's value as at delivery time, with its verification. */
  value?: Value;
  requestId?: string;
  documentId?: string;
  status?: string;
  /** `signed`, `accepted`, `cancelled`, or null. */
  action?: string | null;
  flowRunId?: string;
  awaitingParty?: string;
  challengeId?: string;
  completedAt?: string;
  messageId?: string;
  /** Base64 SPKI of the person's key: seal replies to it. */
  personPublicKey?: string;
  /** Opened; null when the key does not open it or the client has none. */
  messageBody?: string | null;
  raw: ChangeEvent;
};
