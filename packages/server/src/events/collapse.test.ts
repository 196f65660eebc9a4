import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Event, type EventName, eventNames } from '@symbolon/protocol';
import { collapseKey, type EventSubject, staysBeside } from './collapse.ts';

/** Wire 6.2, rules 2, 3 and 5: which events share an identity, and what makes it. */
const groups: { events: EventName[]; identity: keyof EventSubject | 'slot' }[] = [
  {
    events: [
      Event.connectionCreated,
      Event.connectionDeleted,
      Event.connectionRequestAccepted,
      Event.connectionRequestRejected,
    ],
    identity: 'customerId',
  },
  { events: [Event.fieldUpdated, Event.fieldDeleted], identity: 'slot' },
  { events: [Event.consentAccepted, Event.consentDeclined], identity: 'slot' },
  { events: [Event.documentStatusChanged], identity: 'documentId' },
];
const grouped = new Set(groups.flatMap((group) => group.events));
const alone = eventNames.filter((event) => !grouped.has(event));

const subject: EventSubject = {
  id: 'event-1',
  customerId: 'customer-1',
  connectionId: 'connection-1',
  requestFieldId: 'row-1',
  documentId: 'document-1',
};
const change = (member: keyof EventSubject): EventSubject => ({ ...subject, [member]: 'another' });

for (const { events, identity } of groups) {
  test(`${events.join(', ')} share one identity`, () => {
    const keys = events.map((event) => collapseKey(event, subject));
    assert.equal(new Set(keys).size, 1);
    const [first] = events;
    assert.ok(first);
    const makes = identity === 'slot' ? (['connectionId', 'requestFieldId'] as const) : [identity];
    for (const member of Object.keys(subject) as (keyof EventSubject)[]) {
      const same: boolean = collapseKey(first, change(member)) === collapseKey(first, subject);
      assert.equal(same, !(makes as readonly string[]).includes(member), member);
    }
  });
}

test('a connection that a request made is raised beside its acceptance, and nothing else is', () => {
  const { connectionCreated, connectionRequestAccepted } = Event;
  for (const event of eventNames) {
    for (const next of eventNames) {
      const together = event === connectionCreated && next === connectionRequestAccepted;
      assert.equal(staysBeside(event, next), together, `${event} ${next}`);
    }
  }
});

test('events of different groups never collapse into each other', () => {
  const keys = groups.map(({ events: [first] }) => collapseKey(first ?? Event.fieldUpdated, subject));
  assert.equal(new Set(keys).size, groups.length);
});

for (const event of alone) {
  test(`${event} stands for itself`, () => {
    assert.notEqual(collapseKey(event, subject), collapseKey(event, change('id')));
  });
}
