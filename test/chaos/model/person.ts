import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { personAccount } from '@symbolon/testkit/actors/accounts';
import type { Random } from '@symbolon/testkit/platform/random';
import type { Answer, Call } from '../support/caller.ts';
import type { Shop } from './company.ts';
import { type Act, History } from './history.ts';
import { readWrapper, wrapperOf } from './values.ts';

/** Rows that every service asks for, by the field that answers them; `c` is typed once, `d` comes and goes. */
export const FIELD_OF: Readonly<Record<string, 'f0' | 'f1'>> = { a1: 'f0', a2: 'f0', b: 'f1', d: 'f1' };
export const ONCE = 'c';
export const NONE = 'none';

interface Field {
  id: string;
  readonly name: 'f0' | 'f1';
  /** The number of the edit that the person knows to be the present one. */
  edit: number;
  /** Every attempt has its own number. */
  attempts: number;
  readonly history: History;
}

/** What a person has with one service. */
export class Relation {
  /** Undefined: the person knows of no connection. */
  id: string | undefined;
  /** Whether there is a connection. */
  readonly on = new History('off');
  /** Of the present connection: the edit behind each answer, by slug. */
  slots = new Map<string, History>();
  /** Of the present connection: rows that were decided on after they were asked for. */
  settled = new Map<string, History>();
  /** When the present connection was first asked for, and when the person knew of it. */
  sentAt = 0;
  knownAt = Number.POSITIVE_INFINITY;
  /** Of all connections there ever were: acts that raise one event about a slot each, by slug. */
  readonly raised = new Map<string, { readonly act: Act; readonly certain: boolean }[]>();

  slot(slug: string): History {
    let slot = this.slots.get(slug);
    if (slot === undefined) {
      slot = new History(NONE);
      this.slots.set(slug, slot);
    }
    return slot;
  }

  /** @param certain whether the act raises an event if it happens: not when the connection may have ended before */
  raises(slug: string, act: Act, certain: boolean): void {
    const raising = { act, certain };
    const acts = this.raised.get(slug);
    if (acts === undefined) this.raised.set(slug, [raising]);
    else acts.push(raising);
  }
}

/** An answer that follows a field, as the home of the person lists it. */
interface ListedSlot {
  readonly connection_id: string;
  readonly request_field_id: string;
  readonly slug: string;
  readonly service_id: string;
}

export interface PersonWorld {
  readonly shops: readonly Shop[];
  /** Calls some server. */
  call(call: Call): Promise<Answer>;
  /** An edit was acknowledged. */
  acknowledged(): void;
  readonly goesOn: () => boolean;
}

/** A device of a person, which does one thing after the other and remembers what was acknowledged. */
export class Person {
  readonly index: number;
  id = '';
  #token = '';
  readonly fields: Readonly<Record<'f0' | 'f1', Field>> = { f0: newField('f0'), f1: newField('f1') };
  readonly relations = new Map<Shop, Relation>();
  readonly #world: PersonWorld;
  readonly #random: Random;
  readonly counts = { done: 0, refused: 0, doubt: 0 };

  constructor(index: number, world: PersonWorld, random: Random) {
    this.index = index;
    this.#world = world;
    this.#random = random;
  }

  /** Before anything breaks. */
  async register(publicKey: string): Promise<void> {
    const { body } = await this.#must('POST', '/api/person/register', {
      email: `${randomBytes(8).toString('hex')}@example.com`,
      account: personAccount(publicKey),
    });
    this.id = body.person.person_user_id;
    this.#token = body.access_token;
    for (const field of Object.values(this.fields)) {
      const value = wrapperOf(this.index, field.name, 0);
      const created = { type: 'text', slug: field.name, label: field.name, value };
      field.id = (await this.#must('POST', '/api/person/fields', created)).body.id;
    }
    for (const shop of this.#world.shops) await this.connect(shop);
  }

  /** One act after the other until stopped, or a round of them. */
  async live(goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      const shop = this.#random.pick(this.#world.shops);
      const relation = this.relation(shop);
      const dice = this.#random.next();
      if (relation.id === undefined) await (dice < 0.5 ? this.connect(shop) : this.#edit('f0'));
      else if (dice < 0.35) await this.#edit('f0');
      else if (dice < 0.6) await this.#edit('f1');
      else if (dice < 0.75) await this.#toggle(shop);
      else if (dice < 0.9) await this.#consents();
      else if (dice < 0.96) await this.#disconnect(shop);
      else await this.look();
      await pause(this.#random.whole(5, 40));
    }
  }

  relation(shop: Shop): Relation {
    let relation = this.relations.get(shop);
    if (relation === undefined) {
      relation = new Relation();
      this.relations.set(shop, relation);
    }
    return relation;
  }

  async connect(shop: Shop): Promise<void> {
    const relation = this.relation(shop);
    const act = relation.on.send('on');
    const sentAt = performance.now();
    const answer = await this.#try('POST', '/api/person/connections', {
      company_code: shop.companyCode,
      service_code: shop.serviceCode,
      decisions: [
        ...['a1', 'a2', 'b'].map((slug) => this.#live(shop, slug)),
        { request_field_id: shop.rowIds.get(ONCE), kind: 'one_time', value: this.#value('once', 0) },
      ],
    });
    this.#settle([act], answer);
    if (relation.sentAt === 0 || relation.id === undefined) relation.sentAt = sentAt;
    if (answer.outcome === 'done') this.#connected(relation, answer.body.connection_id);
    else if (answer.outcome === 'doubt' || answer.key === 'connections.exists') await this.look();
  }

  #connected(relation: Relation, id: string): void {
    relation.id = id;
    relation.knownAt = performance.now();
    relation.settled = new Map();
    relation.slots = new Map([
      ...['a1', 'a2', 'b'].map((slug) => {
        const { edit } = this.fields[FIELD_OF[slug] ?? 'f1'];
        return [slug, new History(String(edit))] as const;
      }),
      [ONCE, new History('0')],
    ]);
  }

  async #disconnect(shop: Shop): Promise<void> {
    const relation = this.relation(shop);
    const act = relation.on.send('off');
    const answer = await this.#try('DELETE', `/api/person/connections/${relation.id}`);
    this.#settle([act], answer);
    if (answer.outcome === 'done') relation.id = undefined;
    else if (answer.outcome === 'doubt' || answer.status === 404) await this.look();
  }

  /** One edit with a copy for every answer that follows the field: all of them or none. */
  async #edit(name: 'f0' | 'f1'): Promise<void> {
    const field = this.fields[name];
    const path = `/api/person/fields/${field.id}`;
    const { outcome, body } = await this.#try('GET', `${path}/slots`);
    if (outcome !== 'done') return;
    const edit = ++field.attempts;
    const acts = [field.history.send(String(edit))];
    const value = wrapperOf(this.index, name, edit);
    const copies = [];
    for (const slot of body.slots as ListedSlot[]) {
      const { connection_id, request_field_id } = slot;
      copies.push({ connection_id, request_field_id, value: wrapperOf(this.index, name, edit) });
      acts.push(...this.#copied(slot, edit));
    }
    const answer = await this.#try('PUT', path, { value, copies });
    this.#settle(acts, answer);
    if (answer.outcome === 'done') {
      field.edit = edit;
      this.#world.acknowledged();
    } else if (answer.outcome === 'doubt') await this.#readField(field, acts);
    else if (answer.key === 'contact_data.field_changed') await this.#readField(field, []);
  }

  /** What the copy of an edit for one slot does, if it does anything. */
  #copied({ connection_id, service_id, slug }: ListedSlot, edit: number): Act[] {
    for (const [{ serviceId }, relation] of this.relations) {
      if (serviceId !== service_id) continue;
      if (relation.id === undefined && !relation.on.isCertain) {
        // A connection that came after its call was given up, and that the person does not know of.
        const act: Act = { state: String(edit), sentAt: performance.now(), outcome: 'sent' };
        relation.raises(slug, act, false);
        return [act];
      }
      if (relation.id !== connection_id) continue;
      const slot = relation.slot(slug);
      // The home of a person lists an answer until it has heard of its end (decision 12): the copy for it goes nowhere.
      if (slot.known === NONE && slot.isCertain) continue;
      const isUnclear = slot.mayBe(NONE);
      // An answer that may have been taken away, also later than it seems, may have nothing to tell.
      const mayBeGone =
        isUnclear || slot.acts.some(({ state, outcome }) => state === NONE && outcome === 'doubt');
      const act = slot.send(String(edit));
      relation.raises(slug, act, relation.on.isCertain && !mayBeGone);
      // The edit is saved; whether there was an answer that took it is in doubt for good.
      if (isUnclear) act.outcome = 'doubt';
      return isUnclear ? [] : [act];
    }
    return [];
  }

  /** What became of an edit in doubt. It may still come: then it stays in doubt. */
  async #readField(field: Field, acts: readonly Act[]): Promise<void> {
    const { body } = await this.#definitely('GET', `/api/person/fields/${field.id}`);
    field.edit = readWrapper(body.value).edit;
    if (acts[0]?.state === String(field.edit)) for (const act of acts) act.outcome = 'done';
  }

  /** Answers the row `d`, or takes its answer away. */
  async #toggle(shop: Shop): Promise<void> {
    const relation = this.relation(shop);
    const slot = relation.slot('d');
    const set = slot.known === NONE;
    const hadDoubt = slot.hasDoubt;
    const act = slot.send(set ? String(this.fields.f1.edit) : NONE);
    // Taking away what may be away already raises nothing for certain.
    const certain = relation.on.isCertain && (set || !hadDoubt);
    relation.raises('d', act, certain);
    const answer = await this.#try('PUT', `/api/person/connections/${relation.id}/mappings`, {
      decisions: [set ? this.#live(shop, 'd') : { request_field_id: shop.rowIds.get('d'), kind: 'remove' }],
    });
    this.#settle([act], answer);
    if (answer.outcome === 'doubt' || answer.status === 404) await this.look();
  }

  /** Answers or declines rows that were asked for later. */
  async #consents(): Promise<void> {
    const { outcome, body } = await this.#try('GET', '/api/person/consents');
    if (outcome !== 'done' || body.consents.length === 0) return;
    const consent = this.#random.pick<{
      id: string;
      connection_id: string;
      request_fields: { id: string; slug: string }[];
    }>(body.consents);
    const found = [...this.relations.values()].find(({ id }) => id === consent.connection_id);
    if (found === undefined) return;
    const rows = consent.request_fields;
    const provides = this.#random.chance(0.6);
    const settling = rows.map(({ slug }) => {
      let history = found.settled.get(slug);
      if (history === undefined) {
        history = new History('pending');
        found.settled.set(slug, history);
      }
      return history.send('settled');
    });
    const edit = this.fields.f1.edit;
    const answering = provides ? rows.map(({ slug }) => found.slot(slug).send(String(edit))) : [];
    const answer = await this.#try(
      'POST',
      `/api/person/consents/${consent.id}/${provides ? 'provide' : 'decline'}`,
      provides
        ? {
            decisions: rows.map(({ id }) => ({
              request_field_id: id,
              kind: 'live',
              field_id: this.fields.f1.id,
              value: this.#value('f1', edit),
            })),
          }
        : { request_field_ids: rows.map(({ id }) => id) },
    );
    this.#settle([...settling, ...answering], answer);
    if (answer.outcome === 'doubt') await this.look();
  }

  /** Reads what is there, until there is an answer: acts in doubt that happened are known from then on. */
  async look(): Promise<void> {
    const { body } = await this.#definitely('GET', '/api/person/connections');
    const listed = body.connections as { connection_id: string; service: { id: string } }[];
    for (const [shop, relation] of this.relations) {
      const id = listed.find(({ service }) => service.id === shop.serviceId)?.connection_id;
      const last = relation.on.acts.findLast(({ outcome }) => outcome !== 'refused');
      const state = id === undefined ? 'off' : 'on';
      if (last?.outcome === 'doubt' && last.state === state) last.outcome = 'done';
      if (id === undefined) relation.id = undefined;
      else if (id !== relation.id) {
        this.#connected(relation, id);
        // Which edit it was made with is not for sure where an edit was in doubt: the fields say it.
        for (const field of Object.values(this.fields)) await this.#readField(field, []);
      }
    }
  }

  /** The person's own view at the end: connections with what is pending, and the edit of each field. */
  async view() {
    await this.look();
    const { body: connections } = await this.#definitely('GET', '/api/person/connections');
    const { body: consents } = await this.#definitely('GET', '/api/person/consents');
    const edits = new Map<string, number>();
    for (const field of Object.values(this.fields)) {
      const { body } = await this.#definitely('GET', `/api/person/fields/${field.id}`);
      edits.set(field.name, readWrapper(body.value).edit);
    }
    return {
      connections: connections.connections as { connection_id: string; service: { id: string } }[],
      consents: consents.consents as { connection_id: string; request_fields: { slug: string }[] }[],
      edits,
    };
  }

  #live(shop: Shop, slug: string) {
    const field = this.fields[FIELD_OF[slug] ?? 'f1'];
    const value = this.#value(field.name, field.edit);
    return { request_field_id: shop.rowIds.get(slug), kind: 'live', field_id: field.id, value };
  }

  #value(field: string, edit: number): string {
    return wrapperOf(this.index, field, edit);
  }

  #settle(acts: readonly Act[], { outcome }: Answer): void {
    this.counts[outcome]++;
    for (const act of acts) act.outcome = outcome;
  }

  async #try(method: string, path: string, body?: unknown): Promise<Answer> {
    const call = { method, path, ...(this.#token !== '' && { token: this.#token }) };
    const answer = await this.#world.call(body === undefined ? call : { ...call, body });
    // After a refusal the person waits a moment.
    if (answer.outcome !== 'done') await pause(this.#random.whole(50, 200));
    return answer;
  }

  async #definitely(method: string, path: string): Promise<Answer> {
    for (;;) {
      const answer = await this.#try(method, path);
      if (answer.outcome === 'done') return answer;
      if (!this.#world.goesOn()) throw new Error(`The world ended before ${method} ${path} was answered.`);
    }
  }

  async #must(method: string, path: string, body: unknown): Promise<Answer> {
    const answer = await this.#try(method, path, body);
    if (answer.outcome !== 'done') throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }
}

function newField(name: 'f0' | 'f1'): Field {
  return { id: '', name, edit: 0, attempts: 0, history: new History('0') };
}
