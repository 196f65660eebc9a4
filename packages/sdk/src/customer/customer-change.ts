import type { ChangeEvent } from '@symbolon/protocol';

/**
 * An event of the account feed. Members that an event does not have are absent. `raw` is the event as it was received,
 * with members that this library does not know.
 */
export type CustomerChange = {
  /** The deduplication key of the feed. */
  id: string;
  /** Such as `share_changed`, `service_key_rotated`, `connection_created`. */
  event: string;
  at: string;
  /** The service it is about. */
  companyShareCode?: string;
  serviceShareCode?: string;
  connectionId?: string;
  serviceLinkId?: string;
  /** Of `service_key_rotated`: the fingerprint that the key of the next lookup must have. */
  servicePublicKeySha256?: string;
  /** Of `message_received`: the wrapper in `messageBody` is opened by `openValue` of the client. */
  messageId?: string;
  messageBody?: string;
  raw: ChangeEvent;
};

export function customerChange(event: ChangeEvent): CustomerChange {
  const change: CustomerChange = { id: event.id, event: event.event, at: event.at, raw: event };
  const members: Readonly<Record<string, unknown>> = event;
  for (const [member, name] of TEXT_MEMBERS) {
    const value = members[member];
    if (typeof value === 'string') change[name] = value;
  }
  return change;
}

const TEXT_MEMBERS = [
  ['company_share_code', 'companyShareCode'],
  ['service_share_code', 'serviceShareCode'],
  ['connection_id', 'connectionId'],
  ['service_link_id', 'serviceLinkId'],
  ['service_public_key_sha256', 'servicePublicKeySha256'],
  ['message_id', 'messageId'],
  ['body', 'messageBody'],
] as const;
