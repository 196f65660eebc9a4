import type { ChangeEvent } from '@symbolon/protocol';
import type { Change } from './change.ts';
import type { Opener } from './opener.ts';
import type { PeopleKeys } from './people-keys.ts';

/**
 * Opens and types an event. A value that the key does not open is `unreadable`.
 *
 * @throws UnconfirmedKeyError `sdk.owner_changed` when it names another customer of its connection than before
 */
export async function openChange(
  event: ChangeEvent,
  { opener, people }: { opener: Opener; people: Pick<PeopleKeys, 'requireCustomers'> },
): Promise<Change> {
  const change: Change = {
    id: event.id,
    event: event.event,
    personId: event.person_user_id,
    shareCode: event.share_code ?? null,
    customerType: event.customer_type ?? 'person',
    at: event.at,
    raw: event,
  };
  // The schema has the common members; an event also has those of its group.
  const members: Readonly<Record<string, unknown>> = event;
  for (const [member, name] of TEXT_MEMBERS) {
    const value = members[member];
    if (typeof value === 'string') change[name] = value;
  }
  const { connectionId: connection_id, personId: user_id } = change;
  if (connection_id !== undefined) await people.requireCustomers([{ connection_id, user_id }]);
  const { action, body } = members;
  if (typeof action === 'string' || action === null) change.action = action;
  const value = await opener.openEventValue(event);
  if (value) change.value = value;
  if (typeof body === 'string') change.messageBody = await opener.openText(body);
  return change;
}

const TEXT_MEMBERS = [
  ['connection_id', 'connectionId'],
  ['slug', 'slug'],
  ['request_id', 'requestId'],
  ['document_id', 'documentId'],
  ['status', 'status'],
  ['flow_run_id', 'flowRunId'],
  ['awaiting_party', 'awaitingParty'],
  ['challenge_id', 'challengeId'],
  ['completed_at', 'completedAt'],
  ['message_id', 'messageId'],
  ['person_public_key', 'personPublicKey'],
] as const;
