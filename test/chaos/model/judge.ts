import type { Publisher, Shop } from './company.ts';
import type { FeedConsumer, WebhookReceiver } from './consumers.ts';
import { TO_BE_READ } from './consumers.ts';
import type { Act } from './history.ts';
import { FIELD_OF, NONE, ONCE, type Person, type Relation } from './person.ts';
import { readWrapper } from './values.ts';

export const kinds = [
  'lost',
  'reordered',
  'doubled',
  'half-written',
  'refused, but done',
  'late',
  'wrong',
] as const;
export type Kind = (typeof kinds)[number];

export interface Fault {
  readonly kind: Kind;
  readonly text: string;
}

/** A row of the list that the company's data client reads. */
export interface ListedConnection {
  readonly connection_id: string;
  readonly user_id: string;
  readonly values: Readonly<Record<string, { value?: string; live: boolean }>>;
  readonly pending_consent: readonly string[];
}

export interface Judged {
  readonly persons: readonly Person[];
  readonly shops: readonly Shop[];
  readonly lists: ReadonlyMap<Shop, readonly ListedConnection[]>;
  readonly views: ReadonlyMap<Person, Awaited<ReturnType<Person['view']>>>;
  readonly configs: ReadonlyMap<Shop, Awaited<ReturnType<Publisher['look']>>>;
  readonly feeds: ReadonlyMap<Shop, FeedConsumer>;
  readonly receivers: ReadonlyMap<Shop, WebhookReceiver>;
  readonly excused: (from: number, until: number) => boolean;
  /** Whether a company was on its way to another region between two moments. */
  readonly moved: (from: number, until: number) => boolean;
  /** Whether later events have later times: not when a clock was set back. */
  readonly timesOrder: boolean;
}

/** Answers to one field are of one edit, at every moment: an edit is there whole or not at all. */
export function tornAnswers(list: readonly ListedConnection[]): string[] {
  return list.flatMap(({ connection_id, values }) => {
    const [a1, a2] = [values.a1?.value, values.a2?.value];
    if (a1 === undefined || a2 === undefined || values[ONCE]?.value === undefined) {
      return [`connection ${connection_id} lacks an answer that it was made with`];
    }
    const [one, two] = [readWrapper(a1).edit, readWrapper(a2).edit];
    return one === two ? [] : [`connection ${connection_id} has edits ${one} and ${two} of one field`];
  });
}

/** Compares what everybody did with what everybody sees, when nothing moves any more. */
export function judge(world: Judged): Fault[] {
  const faults: Fault[] = [];
  for (const shop of world.shops) {
    const tell = (kind: Kind, text: string) => faults.push({ kind, text: `${shop.name}: ${text}` });
    const list = world.lists.get(shop) ?? [];
    for (const text of tornAnswers(list)) tell('half-written', text);
    const byPerson = new Map<string, ListedConnection>();
    for (const row of list) {
      if (byPerson.has(row.user_id)) tell('doubled', `two connections of one person`);
      byPerson.set(row.user_id, row);
    }
    const { publicKey } = world.configs.get(shop) ?? {};
    if (shop.publicKey !== undefined && publicKey !== shop.publicKey) tell('lost', 'the replaced key');
    for (const person of world.persons) {
      const relation = person.relations.get(shop);
      if (relation !== undefined) judgePair(world, shop, person, relation, byPerson.get(person.id), tell);
    }
    judgeConsumers(world, shop, byPerson, tell);
  }
  return faults;
}

type Tell = (kind: Kind, text: string) => void;

function judgePair(
  world: Judged,
  shop: Shop,
  person: Person,
  relation: Relation,
  row: ListedConnection | undefined,
  tell: Tell,
): void {
  const who = `person ${person.index}`;
  const view = world.views.get(person);
  const own = view?.connections.find(({ service }) => service.id === shop.serviceId);
  if (own?.connection_id !== row?.connection_id)
    tell('half-written', `${who} and the company see other connections`);
  told(relation.on.judge(row === undefined ? 'off' : 'on'), `${who}: the connection`, tell);
  if (row === undefined) return;
  const asked = world.configs.get(shop)?.slugs ?? [];
  for (const slug of Object.keys(row.values)) {
    if (!asked.includes(slug)) tell('wrong', `${who}: an answer to ${slug}, which is not asked for`);
  }
  for (const slug of asked) {
    const value = row.values[slug]?.value;
    const actual = value === undefined ? NONE : String(readWrapper(value).edit);
    const slot = relation.slots.get(slug);
    if (slot === undefined) {
      if (actual !== NONE) tell('wrong', `${who}: an answer to ${slug} that was never given`);
      continue;
    }
    told(slot.judge(actual), `${who}: ${slug} is of edit ${actual}, known ${slot.known}`, tell);
    const field = slug.startsWith('x') ? 'f1' : FIELD_OF[slug];
    const edit = field === undefined ? undefined : view?.edits.get(field);
    if (edit !== undefined && actual !== NONE && Number(actual) !== edit && !slot.hasDoubt) {
      tell('half-written', `${who}: ${slug} is of edit ${actual}, its field of ${edit}`);
    }
  }
  judgePending(world, shop, relation, row, who, tell);
}

function judgePending(
  world: Judged,
  shop: Shop,
  relation: Relation,
  row: ListedConnection,
  who: string,
  tell: Tell,
): void {
  const asked = new Set(world.configs.get(shop)?.slugs);
  const pending = new Set(row.pending_consent);
  for (const slug of pending) {
    if (!asked.has(slug)) tell('wrong', `${who}: ${slug} is pending and not asked for`);
    if (row.values[slug] !== undefined) tell('half-written', `${who}: ${slug} is answered and pending`);
  }
  for (const { slug, askedSent, askedKnown, removedSent } of shop.added) {
    const settled = relation.settled.get(slug);
    if (pending.has(slug)) {
      if (askedKnown < relation.sentAt) tell('wrong', `${who}: ${slug} is pending, asked for before`);
      if (settled?.known === 'settled') tell('lost', `${who}: the decision on ${slug}`);
    } else if (
      askedSent > relation.knownAt &&
      removedSent === Number.POSITIVE_INFINITY &&
      asked.has(slug) &&
      settled === undefined &&
      row.values[slug] === undefined
    ) {
      tell('lost', `${who}: ${slug} is not pending`);
    }
  }
  const view = [...world.views.values()].flatMap(({ consents }) => consents);
  const seen = view.filter(({ connection_id }) => connection_id === row.connection_id);
  const slugs = seen.flatMap(({ request_fields }) => request_fields.map(({ slug }) => slug));
  if (slugs.sort().join() !== [...pending].sort().join()) {
    tell('half-written', `${who} is asked for ${slugs}, the company sees ${[...pending]}`);
  }
}

function judgeConsumers(
  world: Judged,
  shop: Shop,
  byPerson: ReadonlyMap<string, ListedConnection>,
  tell: Tell,
): void {
  const feed = world.feeds.get(shop);
  const receiver = world.receivers.get(shop);
  const heard = receiver?.judge(world.excused, world.timesOrder);
  for (const text of feed?.faults ?? []) tell('doubled', `feed: ${text}`);
  for (const text of feed?.replica.faults ?? []) tell('reordered', `feed: ${text}`);
  for (const text of heard?.faults ?? [])
    tell(text.includes('again') ? 'doubled' : 'reordered', `webhook: ${text}`);
  const asked = new Set(world.configs.get(shop)?.slugs);
  for (const person of world.persons) {
    const relation = person.relations.get(shop);
    if (relation === undefined) continue;
    const row = byPerson.get(person.id);
    const who = `person ${person.index}`;
    if (feed !== undefined) {
      const state = row === undefined ? 'off' : 'on';
      if (feed.replica.state(person.id) !== state) tell('lost', `feed: ${who} is ${state}, never delivered`);
      for (const [slug, slot] of row === undefined ? [] : relation.slots) {
        if (!asked.has(slug)) continue;
        const value = row?.values[slug]?.value;
        const actual = value === undefined ? NONE : String(readWrapper(value).edit);
        const believed = feed.replica.slot(person.id, slug);
        const unchanged = believed === undefined && actual === slot.acts[0]?.state;
        const right = believed === actual || (believed === TO_BE_READ && actual !== NONE) || unchanged;
        if (!right) tell('lost', `feed: ${who} ${slug} is of edit ${actual}, delivered ${believed}`);
      }
    }
    if (heard === undefined) continue;
    for (const [slug, acts] of relation.raised) {
      if (slug.startsWith('x')) continue;
      const came = heard.events.filter((event) => event.person_user_id === person.id && event.slug === slug);
      const endings = [...relation.on.acts, ...acts.map(({ act }) => act)].filter(
        ({ state, outcome }) => (state === 'off' || state === NONE) && outcome !== 'refused',
      );
      // Copies follow a company to its new home, where the answer may have ended meanwhile (decision 13).
      const overtaken = ({ state, sentAt }: Act) =>
        state !== NONE &&
        endings.some((ending) => ending.sentAt > sentAt && world.moved(sentAt, ending.sentAt));
      const least = acts.filter(
        ({ act, certain }) => certain && act.outcome === 'done' && !overtaken(act),
      ).length;
      const most = acts.filter(({ act }) => act.outcome !== 'refused').length;
      if (came.length < least) tell('lost', `webhook: ${who} ${slug}: ${came.length} of ${least} events`);
      if (came.length > most) {
        tell('doubled', `webhook: ${who} ${slug}: ${came.length} events of ${most} acts`);
      }
    }
  }
}

function told(finding: ReturnType<Relation['on']['judge']>, what: string, tell: Tell): void {
  if (finding === 'right') return;
  tell(finding === 'never sent' ? 'wrong' : finding, `${what} (${finding})`);
}
