import { createHmac, type KeyObject } from 'node:crypto';
import { openTextSync } from '@symbolon/crypto/node';
import { WRITTEN_DOWN_MS } from '@symbolon/testkit/limits';
import { type Act, type ActKind, keyOf, type Ledger } from './ledger.ts';
import type { Delivered, MoodyReceiver } from './receiver.ts';

/** A webhook under test and how it is configured. */
export interface WebhookUnderTest {
  readonly id: string;
  readonly service: string;
  readonly events: readonly string[];
  readonly format: 'json' | 'xml';
  readonly receiver: MoodyReceiver;
  /** Opens envelopes; undefined when it gets none. */
  readonly accountKey: KeyObject | undefined;
  readonly hmacSecret: string | undefined;
  /** A header that every delivery must carry. */
  readonly header: readonly [name: string, value: string] | undefined;
}

/** How a disturbance ends in which a process did nothing for a while, without being broken. */
export const STOOD_STILL = 'stood still';

/** A time in which something broke under the platform: answers that it got then may not have been written down. */
export interface Disturbance {
  readonly what: string;
  readonly from: number;
  until: number;
}

/** One row of a webhook's queue, as it arrived. */
interface Arrival {
  /** What tells the row from all others: its act, and when it was raised. */
  readonly row: string;
  readonly key: string;
  readonly id: string;
  readonly event: string;
  readonly value: string | undefined;
  readonly delivered: Delivered;
}

/** So many answers may wait to be written down (delivery/webhooks/acknowledgements.ts). */
const UNRECORDED_MOST = 256;
const FAULTS_MOST = 20;

const KINDS: Readonly<Record<string, ActKind>> = {
  connection_created: 'connected',
  connection_deleted: 'left',
  field_updated: 'field',
  field_deleted: 'field',
  consent_accepted: 'consent',
};

export interface Verdict {
  readonly faults: readonly string[];
  readonly deliveries: number;
  readonly rows: number;
  readonly repeated: number;
}

/** Compares all that arrived with all that was done. To be asked when every queue is empty. */
export function judge(
  webhooks: readonly WebhookUnderTest[],
  ledger: Ledger,
  disturbances: readonly Disturbance[],
): Verdict {
  const faults: string[] = [];
  const orders = new Map<WebhookUnderTest, string[]>();
  let repeated = 0;
  for (const webhook of webhooks) {
    const fault = (text: string) => faults.push(`webhook ${webhooks.indexOf(webhook)}: ${text}`);
    const arrivals = webhook.receiver.delivered.map((delivered) => read(webhook, delivered, fault));
    const isDropped = (row: string) => mayTurn(webhook, ledger.find(keyOfRow(row)), ledger);
    const queue = judgeQueue(arrivals, disturbances, isDropped, fault);
    repeated += queue.repeated;
    judgeActs(webhook, arrivals, queue.order, ledger, fault);
    for (const { at, many } of webhook.receiver.overlaps) {
      // Whoever stood still cannot take back what it had sent, or had not seen yet that it was taken back.
      const stood = disturbances.some(
        ({ what, from, until }) => what.endsWith(STOOD_STILL) && at >= from && at <= until + WRITTEN_DOWN_MS,
      );
      if (!stood) fault(`${many} POSTs in flight at ${Math.round(at)}`);
    }
    orders.set(webhook, queue.order);
  }
  judgeTogether(orders, faults);
  return {
    faults: faults.slice(0, FAULTS_MOST),
    deliveries: webhooks.reduce((sum, { receiver }) => sum + receiver.delivered.length, 0),
    rows: [...orders.values()].reduce((sum, order) => sum + order.length, 0),
    repeated,
  };
}

function read(webhook: WebhookUnderTest, delivered: Delivered, fault: (text: string) => void): Arrival {
  const { headers } = delivered;
  if (headers['x-platform-webhook-id'] !== webhook.id) fault('a delivery of another webhook');
  if (webhook.header !== undefined && headers[webhook.header[0]] !== webhook.header[1]) {
    fault('not authenticated');
  }
  if (webhook.hmacSecret !== undefined) {
    const signature = createHmac('sha256', webhook.hmacSecret).update(delivered.text).digest('hex');
    if (headers['x-platform-signature'] !== signature) fault('a wrong signature');
  }
  const text =
    webhook.accountKey === undefined
      ? delivered.text
      : openTextSync(delivered.text, webhook.accountKey, 'SHA-1');
  const body = webhook.format === 'xml' ? readXml(text) : (JSON.parse(text) as Record<string, string>);
  const { event = '', person_user_id: person = '', slug, id = '', at } = body;
  const kind = KINDS[event];
  if (kind === undefined) fault(`an unexpected event: ${event}`);
  if (headers['x-platform-event'] !== event) fault('the event of the header is not that of the body');
  const key = keyOf(webhook.service, kind ?? 'field', person, slug);
  return { row: `${key}|${at}`, key, id, event, value: body.value, delivered };
}

/** As the platform writes it: members as elements, one level deep. */
function readXml(text: string): Record<string, string> {
  const members: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/<(\w+)>([^<]*)<\/\1>/g)) {
    members[name] = value.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  }
  return members;
}

/**
 * First in, first out: a row comes when all before it were accepted or dropped, and comes again only if it was not accepted, or if
 * something broke before its acceptance can have been written down.
 */
function judgeQueue(
  arrivals: readonly Arrival[],
  disturbances: readonly Disturbance[],
  mayBeDropped: (row: string) => boolean,
  fault: (text: string) => void,
) {
  const order: string[] = [];
  const places = new Map<string, number>();
  const accepted: (Delivered | undefined)[] = [];
  const ids = new Map<string, string>();
  const unrecorded = new Map<Disturbance, number>();
  let head = 0;
  let repeated = 0;
  for (const { row, id, delivered } of arrivals) {
    let place = places.get(row);
    if (place === undefined) {
      place = order.push(row) - 1;
      places.set(row, place);
    }
    if ((ids.get(id) ?? row) !== row) fault(`id ${id} for two events`);
    ids.set(id, row);
    if (place > head) fault(`${row} came before ${order[head]} was accepted`);
    const before = accepted[place];
    if (before !== undefined) {
      repeated++;
      const cause = causeOf(before, delivered, disturbances);
      if (cause === undefined) {
        fault(
          `${row} came again at ${Math.round(delivered.at)} though accepted (${before.behaviour}) at ${Math.round(before.acceptedAt ?? 0)}`,
        );
      } else if (cause !== 'late') {
        unrecorded.set(cause, (unrecorded.get(cause) ?? 0) + 1);
      }
    }
    if (delivered.acceptedAt !== undefined) accepted[place] = delivered;
    while (head < order.length && (accepted[head] !== undefined || mayBeDropped(order[head] ?? ''))) head++;
  }
  for (const [cause, count] of unrecorded) {
    if (count > UNRECORDED_MOST) fault(`${count} came again after ${cause.what}`);
  }
  if (head < order.length) fault(`${order[head]} was never accepted`);
  return { order, repeated };
}

function causeOf(
  accepted: Delivered,
  again: Delivered,
  disturbances: readonly Disturbance[],
): Disturbance | 'late' | undefined {
  if (accepted.late) return 'late';
  const at = accepted.acceptedAt ?? 0;
  return disturbances.find(
    ({ from, until }) => from <= again.at && at >= from - WRITTEN_DOWN_MS && at <= until + WRITTEN_DOWN_MS,
  );
}

/** Everything acknowledged is there, nothing that was not done, and in the order in which it was done. */
function judgeActs(
  webhook: WebhookUnderTest,
  arrivals: readonly Arrival[],
  order: readonly string[],
  ledger: Ledger,
  fault: (text: string) => void,
): void {
  const rowsOf = new Map<string, number>();
  for (const row of order) {
    const key = keyOfRow(row);
    rowsOf.set(key, (rowsOf.get(key) ?? 0) + 1);
  }
  for (const act of ledger.acts) {
    if (act.service !== webhook.service) continue;
    const wanted = webhook.events.length === 0 || webhook.events.includes(act.event);
    const rows = rowsOf.get(act.key) ?? 0;
    if (!wanted && rows > 0) fault(`${act.key} was not subscribed to`);
    if (wanted && rows === 0 && act.known < Number.POSITIVE_INFINITY && !mayTurn(webhook, act, ledger))
      fault(`${act.key} is missing`);
    if (rows > act.attempts) fault(`${act.key} came as ${rows} events, sent ${act.attempts} times`);
  }
  let latest = 0;
  const first = new Set<string>();
  for (const { key, event, value } of arrivals) {
    const act = ledger.find(key);
    if (act === undefined) {
      fault(`${key} was never done`);
      continue;
    }
    if (value !== undefined && !act.values.has(value)) fault(`${key} carries a value it never had`);
    if (webhook.events.length > 0 && !webhook.events.includes(event))
      fault(`${key} came as ${event}, which was not subscribed to`);
    if (event === 'field_deleted' && act.event === 'field_updated' && !hasLeft(act, ledger))
      fault(`${key} came as deleted`);
    if (first.has(key)) continue;
    first.add(key);
    if (act.known < latest) fault(`${key} came after what was done later`);
    latest = Math.max(latest, act.sent);
  }
}

const keyOfRow = (row: string) => row.slice(0, row.lastIndexOf('|'));

/** Whether an edit may be left out: its slot is empty by the time of the delivery, and the webhook does not ask for that (wire 6.2). */
const mayTurn = ({ events }: WebhookUnderTest, act: Act | undefined, ledger: Ledger) =>
  act?.event === 'field_updated' &&
  events.length > 0 &&
  !events.includes('field_deleted') &&
  hasLeft(act, ledger);

/** Whether the person of an act has left its service, or may have. */
const hasLeft = ({ service, key }: Act, ledger: Ledger) =>
  ledger.find(keyOf(service, 'left', key.split('|')[2] ?? '')) !== undefined;

/** Each row went into the queues of all webhooks of its service in one transaction: they all tell one story. */
function judgeTogether(orders: ReadonlyMap<WebhookUnderTest, readonly string[]>, faults: string[]): void {
  for (const [whole, story] of orders) {
    if (whole.events.length > 0) continue;
    for (const [other, told] of orders) {
      if (other.service !== whole.service || other === whole) continue;
      const heard = new Set(told);
      const expected = other.events.length === 0 ? story : story.filter((row) => heard.has(row));
      const differs = expected.findIndex((row, index) => row !== told[index]);
      if (differs >= 0 || expected.length !== told.length) {
        faults.push(
          `two webhooks of a service differ from event ${differs}: ${expected[differs]}, ${told[differs]}`,
        );
      }
    }
  }
}

/** The table of wire 3.3, once more: where each trigger leads. */
const TABLE: Readonly<Record<string, string>> = {
  'running delivery_failed': 'bad',
  'bad probe_due': 'unknown',
  'unknown probe_answered': 'running',
  'unknown probe_failed': 'bad',
  'running switched_on': 'unknown',
  'bad switched_on': 'unknown',
};

export interface HealthLogEntry {
  readonly webhook_id: string;
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
}

/** Every transition that was logged is a row of the table and begins where the last ended. @param log oldest first */
export function judgeHealth(webhooks: readonly WebhookUnderTest[], log: readonly HealthLogEntry[]): string[] {
  const faults: string[] = [];
  for (const webhook of webhooks) {
    let state = 'unknown';
    for (const entry of log.filter(({ webhook_id }) => webhook_id === webhook.id)) {
      if (entry.from !== state) faults.push(`health left ${entry.from} though it was ${state}`);
      if (TABLE[`${entry.from} ${entry.trigger}`] !== entry.to) {
        faults.push(`health went from ${entry.from} by ${entry.trigger} to ${entry.to}`);
      }
      state = entry.to;
    }
    if (state !== 'running') faults.push(`health ended as ${state}`);
  }
  return faults.slice(0, FAULTS_MOST);
}
