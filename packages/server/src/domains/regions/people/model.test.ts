import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { serializeWrapper } from '@symbolon/crypto';
import type { RequestFieldInput } from '@symbolon/protocol';
import {
  createService,
  publish,
  registerCompany,
  registerPerson,
  type TestCompany,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { type TestRegions, withRegionsOnEachEngine } from '@symbolon/testkit/platform/regions';
import { rounds } from '@symbolon/testkit/thoroughness';
import fc from 'fast-check';
import { PlatformError } from '../../../core/errors.ts';
import { waitingMessages } from '../messages/testing.ts';

/*
 * Three regions, people of two of them, and a service in each. People edit, connect, answer again and leave; fields are
 * attested; services publish; messages arrive lane by lane in any order, late, twice, or are refused for a while; edits fall
 * between the registration of a slot and the slot. Beside it runs a model that knows one truth. Afterwards, when all is
 * delivered: every live slot holds a copy of the newest value, every change was delivered exactly once, homes know exactly the
 * slots that stand elsewhere, and every region knows the same of every field.
 */

const REGIONS = ['eu', 'us', 'ap'] as const;
type Region = (typeof REGIONS)[number];
const HOMES = ['eu', 'us'] as const;
const ROWS = ['one', 'two', 'three'] as const;

const RUNS = Number(process.env.SYMBOLON_MODEL_RUNS ?? rounds(2, 6));
const STEPS = Number(process.env.SYMBOLON_MODEL_STEPS ?? 60);

/** A wrapper that tells what is in it: the platform looks at the shape of one alone. */
function wrap(label: string): string {
  return serializeWrapper({
    _enc: 1,
    k: Buffer.alloc(256, 1).toString('base64'),
    iv: Buffer.alloc(12, 2).toString('base64'),
    d: Buffer.from(label.padEnd(16)).toString('base64'),
  });
}
const unwrap = (value: string | null) =>
  value === null ? null : Buffer.from(JSON.parse(value).d, 'base64').toString().trim();

const row = (slug: string): RequestFieldInput => ({ slug, label: slug, type: 'text' });

interface Act {
  readonly at: number;
  readonly tells: boolean;
}
interface Field {
  readonly person: Person;
  readonly id: string;
  version: number;
  attested: boolean;
  /** Everything that its home did with it. */
  readonly acts: Act[];
}
interface Person {
  readonly home: Region;
  readonly actor: TestPerson;
  fields: Field[];
  readonly connections: Map<Service, Connection>;
}
interface Service {
  readonly region: Region;
  readonly company: TestCompany;
  readonly made: TestService;
  rows: Record<string, string>;
}
interface Slot {
  readonly field: Field;
  /** The place in its service's queue behind which its events are. */
  readonly since: number;
  /** The last act of the field that it was made with. */
  readonly from: number;
}
interface Connection {
  readonly id: string;
  /** By request row; of answers that were given once, nothing. */
  readonly slots: Map<string, Slot | 'once'>;
}

class World {
  readonly regions: TestRegions;
  people: Person[] = [];
  services: Service[] = [];
  /** Homes do this once, after they registered slots. */
  between: (() => Promise<void>) | undefined;
  /** Regions that refuse the next message they take in. */
  readonly refusing = new Set<Region>();
  #labels = 0;

  constructor(regions: TestRegions) {
    this.regions = regions;
    for (const region of REGIONS) {
      const { context } = this.at(region);
      const { remoteSlots, regionMessages, personReplicas: replicas } = context;
      // Messages arrive only when the model says so.
      replicas.awaitFields = replicas.hasFields;
      const register = remoteSlots.register.bind(remoteSlots);
      remoteSlots.register = async (request) => {
        const answer = await register(request);
        const { between } = this;
        this.between = undefined;
        await between?.();
        return answer;
      };
      assert.ok(regionMessages !== undefined);
      const { outbox } = context;
      const raise = outbox.raise.bind(outbox);
      // The last thing a transaction does: all it wrote is undone.
      outbox.raise = async (...args) => {
        await raise(...args);
        if (this.refusing.delete(region)) throw new PlatformError('db.writes_paused');
      };
    }
  }

  at(region: Region) {
    return this.regions.region(region);
  }

  async begin(): Promise<void> {
    this.people = [];
    this.services = [];
    for (const region of REGIONS) {
      const company = await registerCompany(this.at(region));
      const made = await createService(this.at(region), company, ROWS.map(row));
      this.services.push({ region, company, made, rows: { ...made.rows } });
      await this.at(region).context.database.write((writer) =>
        writer
          .insertInto('webhooks')
          .values({
            company_id: company.id,
            service_id: made.id,
            id: `hook-${randomBytes(8).toString('hex')}`,
            url: 'https://example.com/',
            events: '[]',
            format: 'json',
            auth_type: 'none',
            secrets: '',
            encrypt_payload: 0,
            enabled: 1,
            paused: 0,
            health: 'unknown',
            health_changed_at: 0,
            probe_at: null,
            last_failure: null,
            parked_through: 0,
            version: 1,
            alerted_at: null,
            lease_owner: null,
            lease_until: null,
            created_at: 0,
            updated_at: 0,
          })
          .execute(),
      );
    }
    for (const home of HOMES) {
      const actor = await registerPerson(this.at(home));
      const person: Person = { home, actor, fields: [], connections: new Map() };
      this.people.push(person);
      for (let index = 0; index < 2; index++) await this.createField(person);
    }
    await this.regions.settle();
  }

  #act(field: Field, tells: boolean): void {
    this.regions.clock.advance(1);
    field.acts.push({ at: this.regions.clock.now(), tells });
  }

  label(field: Field): string {
    return `${field.id.slice(-6)} ${field.version}`;
  }

  async createField(person: Person): Promise<void> {
    const created = await this.at(person.home).must('POST', '/api/person/fields', {
      token: person.actor.token,
      body: { type: 'email', slug: `f${++this.#labels}`, label: 'F', value: wrap('none') },
    });
    const field: Field = { person, id: created.id, version: 0, attested: false, acts: [] };
    person.fields.push(field);
    await this.edit(field);
  }

  async edit(field: Field): Promise<void> {
    const { home, actor } = field.person;
    const path = `/api/person/fields/${field.id}`;
    const { token } = actor;
    const { slots } = await this.at(home).must('GET', `${path}/slots`, { token });
    field.version++;
    field.attested = false;
    this.#act(field, true);
    const value = wrap(this.label(field));
    const copies = slots.map((slot: { connection_id: string; request_field_id: string }) => ({
      connection_id: slot.connection_id,
      request_field_id: slot.request_field_id,
      value,
    }));
    await this.at(home).must('PUT', path, { token, body: { value, copies } });
  }

  async setPrivate(field: Field): Promise<void> {
    this.#act(field, false);
    await this.at(field.person.home).must('PUT', `/api/person/fields/${field.id}`, {
      token: field.person.actor.token,
      body: { private: this.regions.clock.now() % 2 === 0 },
    });
  }

  /** What confirming a code does, without the mail. */
  async attest(field: Field): Promise<void> {
    const { context } = this.at(field.person.home);
    const { database, fields, liveSlots, personReplicas: replicas, outbox, clock } = context;
    const personId = field.person.actor.id;
    field.attested = !field.attested;
    this.#act(field, true);
    const verification = field.attested ? JSON.stringify({ verification_id: `${clock.now()}` }) : null;
    await database.write(async (writer) => {
      const before = await fields.require(writer, personId, field.id);
      const after = { ...before, verification, updated_at: clock.now() };
      await writer
        .updateTable('person_fields')
        .set({ verification, updated_at: after.updated_at })
        .where('id', '=', field.id)
        .execute();
      const events = await liveSlots.attest(
        writer,
        { personId, fieldId: field.id, version: before.version },
        verification,
      );
      await replicas.fieldChanged(writer, after);
      await outbox.raise(writer, events);
    });
  }

  async deleteField(field: Field): Promise<void> {
    const { person } = field;
    if (person.fields.length < 2) return;
    await this.at(person.home).must('DELETE', `/api/person/fields/${field.id}`, {
      token: person.actor.token,
    });
    person.fields = person.fields.filter((other) => other !== field);
    for (const connection of person.connections.values()) {
      for (const [id, slot] of connection.slots) {
        if (slot !== 'once' && slot.field === field) connection.slots.delete(id);
      }
    }
  }

  /** How many acts of a field its region knows of. */
  async #known(region: Region, field: Field): Promise<number> {
    const { reader } = this.at(region).context.database;
    const found = await reader
      .selectFrom('person_fields')
      .select('updated_at')
      .where('id', '=', field.id)
      .executeTakeFirst();
    return field.acts.filter((act) => act.at <= (found?.updated_at ?? 0)).length;
  }

  async #place(service: Service): Promise<number> {
    const { reader } = this.at(service.region).context.database;
    const last = await reader
      .selectFrom('webhook_events')
      .select((eb) => eb.fn.max('seq').as('seq'))
      .where('service_id', '=', service.made.id)
      .executeTakeFirst();
    return Number(last?.seq ?? 0);
  }

  /** Decides some rows of a service by numbers; gives the decisions, and what they make. */
  #decide(person: Person, service: Service, numbers: readonly number[], standing: Connection | undefined) {
    const decisions: object[] = [];
    const made = new Map<string, Field | 'once' | 'removed'>();
    for (const [index, id] of Object.values(service.rows).entries()) {
      const number = numbers[index] ?? 0;
      const field = person.fields[number % person.fields.length];
      if (field === undefined) continue;
      switch (number % 5) {
        case 0:
          break;
        case 1:
          decisions.push({ request_field_id: id, kind: 'one_time', value: wrap('once') });
          made.set(id, 'once');
          break;
        case 2:
          if (standing?.slots.has(id) !== true) break;
          decisions.push({ request_field_id: id, kind: 'remove' });
          made.set(id, 'removed');
          break;
        default:
          decisions.push({
            request_field_id: id,
            kind: 'live',
            field_id: field.id,
            value: wrap(this.label(field)),
          });
          made.set(id, field);
      }
    }
    return { decisions, made };
  }

  async #apply(
    service: Service,
    connection: Connection,
    made: ReadonlyMap<string, Field | 'once' | 'removed'>,
  ) {
    const since = await this.#place(service);
    for (const [id, what] of made) {
      if (what === 'removed') connection.slots.delete(id);
      else if (what === 'once') connection.slots.set(id, 'once');
      else {
        const from = await this.#known(service.region, what);
        connection.slots.set(id, { field: what, since, from });
      }
    }
  }

  async connect(person: Person, service: Service, numbers: readonly number[]): Promise<void> {
    const { decisions, made } = this.#decide(person, service, numbers, undefined);
    const answer = await this.at(service.region).call('POST', '/api/person/connections', {
      token: person.actor.token,
      body: { company_code: service.company.code, service_code: service.made.code, decisions },
    });
    if (person.connections.has(service)) {
      assert.ok(answer.status === 409, answer.text);
      return;
    }
    if (answer.status === 201) {
      const connection: Connection = { id: answer.body.connection_id, slots: new Map() };
      person.connections.set(service, connection);
      await this.#apply(service, connection, made);
    } else this.#mayBeRefused(answer.body.error_key, person, service, answer.text);
  }

  async remap(person: Person, service: Service, numbers: readonly number[]): Promise<void> {
    const connection = person.connections.get(service);
    if (connection === undefined) return;
    const { decisions, made } = this.#decide(person, service, numbers, connection);
    const answer = await this.at(service.region).call(
      'PUT',
      `/api/person/connections/${connection.id}/mappings`,
      { token: person.actor.token, body: { decisions } },
    );
    if (answer.status === 200) await this.#apply(service, connection, made);
    else this.#mayBeRefused(answer.body.error_key, person, service, answer.text);
  }

  /** Another region may not know yet what the home does; the person repeats it then. At home nothing is refused. */
  #mayBeRefused(key: string, person: Person, service: Service, text: string): void {
    const passing = ['contact_data.field_changed', 'contact_data.not_found', 'contact_data.decision_invalid'];
    const refused = key === 'db.writes_paused' || (person.home !== service.region && passing.includes(key));
    assert.ok(refused, text);
  }

  async disconnect(person: Person, service: Service): Promise<void> {
    const connection = person.connections.get(service);
    if (connection === undefined) return;
    const answer = await this.at(service.region).call('DELETE', `/api/person/connections/${connection.id}`, {
      token: person.actor.token,
    });
    if (answer.status === 204) person.connections.delete(service);
    else assert.equal(answer.body.error_key, 'db.writes_paused');
  }

  /** Takes a row away with its answers, or puts one in its place. */
  async publish(service: Service, number: number): Promise<void> {
    const slug = ROWS[number % ROWS.length] ?? 'one';
    const slugs = ROWS.filter((other) =>
      other === slug ? service.rows[slug] === undefined : other in service.rows,
    );
    const gone = service.rows[slug];
    service.rows = await publish(this.at(service.region), service.company, service.made.id, slugs.map(row));
    if (gone === undefined) return;
    for (const person of this.people) person.connections.get(service)?.slots.delete(gone);
  }

  /** Delivers some messages of some lane that has any. */
  async deliver(number: number, most: number): Promise<void> {
    const lanes: { from: Region; to: string; lane: number }[] = [];
    for (const from of REGIONS) {
      const { reader } = this.at(from).context.database;
      const found = await waitingMessages(reader).execute();
      const keys = new Set(found.map(({ to_region: to, lane }) => `${to} ${String(lane).padStart(2, '0')}`));
      for (const key of [...keys].sort()) {
        const [to = '', lane] = key.split(' ');
        lanes.push({ from, to, lane: Number(lane) });
      }
    }
    const chosen = lanes[number % Math.max(1, lanes.length)];
    if (chosen === undefined) return;
    const { context } = this.at(chosen.from);
    if (number % 3 === 0) await this.#deliverUnheard(chosen.from, chosen.to as Region, chosen.lane, most);
    await context.messageSender?.sendBatch(chosen.to, chosen.lane, { most });
  }

  /** Messages arrive, and their sender does not hear of it. */
  async #deliverUnheard(from: Region, to: Region, lane: number, most: number): Promise<void> {
    const batch = await waitingMessages(this.at(from).context.database.reader)
      .where('message.to_region', '=', to)
      .where('message.lane', '=', lane)
      .limit(most)
      .execute();
    await this.at(to).context.regionMessages?.receive(from, lane, batch);
  }

  async step(numbers: readonly number[]): Promise<void> {
    await this.#step(numbers);
    // It came to no registration.
    this.between = undefined;
    // Later edits make good what went wrong before: now and then everything is looked at.
    if ((numbers[4] ?? 0) % 12 === 0) await this.check();
  }

  async #step([kind, a, b, c, d]: readonly number[]): Promise<void> {
    const [x = 0, y = 0, z = 0, w = 0] = [a, b, c, d];
    const person = this.people[x % this.people.length];
    const service = this.services[y % this.services.length];
    const field = person?.fields[z % person.fields.length];
    if (person === undefined || service === undefined || field === undefined) return;
    this.regions.clock.advance(1);
    switch ((kind ?? 0) % 16) {
      case 0:
      case 1:
      case 2:
        return this.edit(field);
      case 3:
      case 4:
        return this.connect(person, service, [z, w, z + w]);
      case 5:
        // Others of the person's devices save values, and perhaps they get there first.
        this.between = async () => {
          for (const one of person.fields) await this.edit(one);
          if (w % 2 === 0) await this.regions.settle();
        };
        return this.connect(person, service, [z, w, z + w]);
      case 6:
        return this.remap(person, service, [z, w, z + w]);
      case 7:
        this.between = () => this.edit(field);
        return this.remap(person, service, [z, w, z + w]);
      case 8:
        if (w % 3 === 0) return this.disconnect(person, service);
        return this.setPrivate(field);
      case 9:
        if (w % 3 === 0) return this.publish(service, z);
        return this.attest(field);
      case 10:
        return this.attest(field);
      case 11:
        if (w % 4 === 0) return this.deleteField(field);
        if (w % 4 === 1 && person.fields.length < 4) return this.createField(person);
        this.refusing.add(service.region);
        await this.deliver(z, 1 + (w % 3));
        this.refusing.clear();
        return;
      default:
        return this.deliver(z, 1 + (w % 3));
    }
  }

  async check(): Promise<void> {
    await this.regions.settle();
    for (const region of REGIONS) {
      const { reader } = this.at(region).context.database;
      assert.deepEqual(await waitingMessages(reader).execute(), []);
    }
    for (const person of this.people) await this.#checkPerson(person);
  }

  async #checkPerson(person: Person): Promise<void> {
    const fieldsAt = (region: Region) =>
      this.at(region)
        .context.database.reader.selectFrom('person_fields')
        .selectAll()
        .where('person_id', '=', person.actor.id)
        .orderBy('id')
        .execute();
    const atHome = await fieldsAt(person.home);
    for (const region of REGIONS) {
      if (region === person.home) continue;
      assert.deepEqual(
        await fieldsAt(region),
        atHome.map((field) => ({ ...field, value: null })),
      );
    }
    const stored = new Map(atHome.map((field) => [field.id, field]));
    const registrations: string[] = [];
    for (const service of this.services) {
      const { reader } = this.at(service.region).context.database;
      const connections = await reader
        .selectFrom('connections')
        .select('id')
        .where('service_id', '=', service.made.id)
        .where('customer_id', '=', person.actor.id)
        .execute();
      const connection = person.connections.get(service);
      assert.deepEqual(
        connections.map(({ id }) => id),
        connection === undefined ? [] : [connection.id],
      );
      if (connection === undefined) continue;
      const slots = await reader
        .selectFrom('slot_values')
        .selectAll()
        .where('connection_id', '=', connection.id)
        .execute();
      assert.deepEqual(
        slots.map((slot) => slot.request_field_id).sort(),
        [...connection.slots.keys()].sort(),
      );
      for (const slot of slots) {
        const expected = connection.slots.get(slot.request_field_id);
        if (expected === 'once' || expected === undefined) {
          assert.equal(slot.live, 0);
          assert.equal(slot.registration, null);
          continue;
        }
        const field = stored.get(expected.field.id);
        assert.equal(slot.live, 1);
        assert.equal(slot.field_id, expected.field.id);
        assert.equal(unwrap(slot.value), this.label(expected.field), 'the newest value');
        assert.equal(slot.field_version, field?.version);
        assert.equal(slot.verification, field?.verification ?? null, 'its attestation');
        assert.equal(slot.private, field?.private);
        assert.equal(slot.registration === null, person.home === service.region);
        if (slot.registration !== null) registrations.push(slot.registration);
        const told = await reader
          .selectFrom('webhook_events')
          .select('seq')
          .where('connection_id', '=', connection.id)
          .where('request_field_id', '=', slot.request_field_id)
          .where('event', '=', 'field_updated')
          .where('seq', '>', expected.since)
          .execute();
        const acts: readonly Act[] = expected.field.acts.slice(expected.from).filter((act) => act.tells);
        assert.equal(told.length, acts.length, 'every change once');
      }
    }
    const remote = await this.at(person.home)
      .context.database.reader.selectFrom('remote_slots')
      .selectAll()
      .where('person_id', '=', person.actor.id)
      .execute();
    assert.deepEqual(remote.map((slot) => slot.registration).sort(), registrations.sort());
  }
}

withRegionsOnEachEngine('a model of people in every region', REGIONS, (regions) => {
  test('the regions agree with the model after random acts in random order', async () => {
    const world = new World(regions());
    const number = fc.nat(1000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(number, number, number, number, number), { minLength: STEPS, maxLength: STEPS }),
        async (steps) => {
          await world.begin();
          for (const step of steps) await world.step(step);
          await world.check();
        },
      ),
      {
        numRuns: RUNS,
        endOnFailure: process.env.SYMBOLON_MODEL_SHRINK === undefined,
        ...(process.env.SYMBOLON_MODEL_SEED === undefined
          ? {}
          : { seed: Number(process.env.SYMBOLON_MODEL_SEED) }),
      },
    );
  });
});
