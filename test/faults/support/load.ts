import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { markedValue, personAccount } from '@symbolon/testkit/actors/accounts';
import type { TestService } from '@symbolon/testkit/actors/actors';
import { FAULTY_CALL_MOST_MS } from '@symbolon/testkit/limits';
import type { Answer, Callable } from '@symbolon/testkit/platform/calls';
import type { Random } from '@symbolon/testkit/platform/random';
import type { Act, Ledger } from './ledger.ts';

/** How often one after the other asks in vain, with a pause after each time. */
const ATTEMPTS_MOST = 3000;

interface LoadWorld {
  readonly servers: readonly Callable[];
  readonly services: readonly TestService[];
  readonly publicKey: string;
  readonly ledger: Ledger;
}

/** People who connect, edit, provide, unmap and leave, one life after the other, whatever breaks under them. */
export class Load {
  readonly #world: LoadWorld;
  #stopped = false;
  #abandoned = false;
  #unanswered = 0;
  #lives: Promise<void>[] = [];
  lived = 0;

  constructor(world: LoadWorld) {
    this.#world = world;
  }

  /** @param drivers how many people live at one time */
  start(random: Random, drivers: number): void {
    this.#lives = Array.from({ length: drivers }, () => this.#liveOn(random.fork()));
  }

  /** Resolves when those who live have come to their ends. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#lives);
  }

  /** When the rest of the test has failed: waiting ends. */
  abandon(): void {
    this.#abandoned = true;
    for (const life of this.#lives) life.catch(() => {});
  }

  async #liveOn(random: Random): Promise<void> {
    while (!this.#stopped) {
      await this.#live(random);
      this.lived++;
    }
  }

  async #live(random: Random): Promise<void> {
    const person = await this.#register(random);
    const fields: string[] = [];
    for (let field = 0; field < FIELDS; field++) fields.push(await this.#createField(random, person));
    const connections: Connection[] = [];
    for (const service of this.#world.services) {
      connections.push(await this.#connect(random, person, service, fields));
    }
    const steps = connections.flatMap((connection) => [
      () => this.#provide(random, person, connection, fields),
      () => this.#unmap(random, person, connection),
    ]);
    steps.push(() => this.#edit(random, person, connections, fields, 0));
    steps.push(() => this.#edit(random, person, connections, fields, 1));
    for (const step of shuffled(random, steps)) await step();
    for (const connection of connections) {
      if (random.chance(0.6)) await this.#leave(random, person, connection);
    }
  }

  async #register(random: Random): Promise<Person> {
    const { body } = await this.#until([201], () =>
      this.#try(random, 'POST', '/api/person/register', undefined, {
        email: `${randomBytes(8).toString('hex')}@example.com`,
        account: personAccount(this.#world.publicKey),
      }),
    );
    return { id: body.person.person_user_id, token: body.access_token };
  }

  async #createField(random: Random, person: Person): Promise<string> {
    const { body } = await this.#until([201], () => {
      const slug = `f${randomBytes(6).toString('hex')}`;
      const field = { type: 'text', slug, label: slug, value: markedValue() };
      return this.#try(random, 'POST', '/api/person/fields', person.token, field);
    });
    return body.id;
  }

  async #connect(random: Random, person: Person, service: TestService, fields: readonly string[]) {
    const connection: Connection = { id: '', service, mapped: new Set(MAPPED_AT_FIRST), sure: true };
    const about = {
      service: service.id,
      kind: 'connected',
      event: 'connection_created',
      person: person.id,
    } as const;
    const decisions = [...connection.mapped].map((slug) => live(service, slug, fields));
    const asked = { company_code: service.company.code, service_code: service.code, decisions };
    let act: Act | undefined;
    const answer = await this.#until([201, 409], () => {
      act = this.#world.ledger.sending(about);
      return this.#try(random, 'POST', '/api/person/connections', person.token, asked);
    });
    // An attempt that was not answered had happened.
    if (act !== undefined) this.#world.ledger.known(act);
    if (answer.status === 201) {
      connection.id = answer.body.connection_id;
      return connection;
    }
    const { body } = await this.#definitely(random, 'GET', '/api/person/connections', person.token);
    const own = body.connections as { connection_id: string; service: { id: string } }[];
    connection.id = own.find((row) => row.service.id === service.id)?.connection_id ?? '';
    return connection;
  }

  /** Answers more rows: never twice, for the second time would be other events. */
  async #provide(random: Random, person: Person, connection: Connection, fields: readonly string[]) {
    if (!connection.sure) return;
    const acts = PROVIDED.map((slug) =>
      this.#world.ledger.sending({
        service: connection.service.id,
        kind: 'consent',
        event: 'consent_accepted',
        person: person.id,
        slug,
      }),
    );
    const provided = () => {
      this.#world.ledger.known(...acts);
      for (const slug of PROVIDED) connection.mapped.add(slug);
    };
    const path = `/api/person/connections/${connection.id}`;
    const answer = await this.#try(random, 'PUT', `${path}/mappings`, person.token, {
      decisions: PROVIDED.map((slug) => live(connection.service, slug, fields)),
    });
    if (answer !== undefined) {
      expect(answer, 200);
      provided();
      return;
    }
    const { body } = await this.#definitely(random, 'GET', path, person.token);
    if (body.mappings.some((mapping: { slug: string }) => PROVIDED.includes(mapping.slug))) provided();
    // It may still be happening.
    else connection.sure = false;
  }

  async #unmap(random: Random, person: Person, connection: Connection): Promise<void> {
    if (!connection.sure) return;
    for (const slug of UNMAPPED) connection.mapped.delete(slug);
    const { service } = connection;
    const path = `/api/person/connections/${connection.id}/mappings`;
    const about = { service: service.id, kind: 'field', event: 'field_deleted', person: person.id } as const;
    let acts: Act[] = [];
    await this.#until([200], () => {
      acts = UNMAPPED.map((slug) => this.#world.ledger.sending({ ...about, slug }));
      const decisions = UNMAPPED.map((slug) => ({ request_field_id: service.rows[slug], kind: 'remove' }));
      return this.#try(random, 'PUT', path, person.token, { decisions });
    });
    this.#world.ledger.known(...acts);
  }

  /** One act that every connection hears of. */
  async #edit(
    random: Random,
    person: Person,
    connections: readonly Connection[],
    fields: readonly string[],
    field: number,
  ) {
    const slots = connections.flatMap((connection) =>
      EDITED.filter((slug) => FIELD_OF[slug] === field).map((slug) => ({ connection, slug })),
    );
    const path = `/api/person/fields/${fields[field]}`;
    const about = { kind: 'field', event: 'field_updated', person: person.id } as const;
    let acts: Act[] = [];
    await this.#until([200], () => {
      acts = [];
      const copies = slots.map(({ connection: { id, service }, slug }) => {
        const value = markedValue();
        acts.push(this.#world.ledger.sending({ ...about, service: service.id, slug }, value));
        return { connection_id: id, request_field_id: service.rows[slug], value };
      });
      return this.#try(random, 'PUT', path, person.token, { value: markedValue(), copies });
    });
    this.#world.ledger.known(...acts);
  }

  async #leave(random: Random, person: Person, connection: Connection): Promise<void> {
    const service = connection.service.id;
    const about = { service, kind: 'left', event: 'connection_deleted', person: person.id } as const;
    const path = `/api/person/connections/${connection.id}`;
    let act: Act | undefined;
    await this.#until([204, 404], () => {
      act = this.#world.ledger.sending(about);
      return this.#try(random, 'DELETE', path, person.token);
    });
    if (act !== undefined) this.#world.ledger.known(act);
  }

  #definitely(random: Random, method: string, path: string, token: string): Promise<Answer> {
    return this.#until([200], () => this.#try(random, method, path, token));
  }

  /** The same act again and again until it is answered. */
  async #until(statuses: readonly number[], attempt: () => Promise<Answer | undefined>): Promise<Answer> {
    for (;;) {
      const answer = await attempt();
      if (answer === undefined) continue;
      expect(answer, ...statuses);
      return answer;
    }
  }

  /** One attempt at some process; undefined when its outcome is unknown. */
  async #try(
    random: Random,
    method: string,
    path: string,
    token?: string,
    body?: unknown,
  ): Promise<Answer | undefined> {
    if (this.#abandoned) throw new Error('Abandoned.');
    if (++this.#unanswered > ATTEMPTS_MOST) throw new Error('The platform answers nothing.');
    try {
      const answer = await random.pick(this.#world.servers).call(method, path, {
        ...(token !== undefined && { token }),
        body,
        signal: AbortSignal.timeout(FAULTY_CALL_MOST_MS),
      });
      if (answer.status < 500) {
        this.#unanswered = 0;
        return answer;
      }
    } catch {}
    await pause(random.whole(10, 50));
    return undefined;
  }
}

/** Which of a person's fields answers which row: one edit tells of several rows. */
const FIELD_OF: Readonly<Record<string, number>> = {
  edited0: 0,
  edited1: 0,
  edited2: 0,
  edited3: 1,
  unmapped0: 2,
  unmapped1: 2,
  provided0: 2,
  provided1: 2,
};
const FIELDS = 3;
export const SLUGS = Object.keys(FIELD_OF);
const EDITED = SLUGS.filter((slug) => slug.startsWith('edited'));
const UNMAPPED = SLUGS.filter((slug) => slug.startsWith('unmapped'));
const PROVIDED = SLUGS.filter((slug) => slug.startsWith('provided'));
const MAPPED_AT_FIRST = [...EDITED, ...UNMAPPED];

interface Person {
  readonly id: string;
  readonly token: string;
}

interface Connection {
  id: string;
  readonly service: TestService;
  readonly mapped: Set<string>;
  /** Whether it is known which rows are answered. */
  sure: boolean;
}

function live(service: TestService, slug: string, fields: readonly string[]) {
  return {
    request_field_id: service.rows[slug],
    kind: 'live',
    field_id: fields[FIELD_OF[slug] as number],
    value: markedValue(),
  };
}

function expect(answer: Answer, ...statuses: readonly number[]): void {
  if (!statuses.includes(answer.status)) {
    throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const rest = [...items];
  return items.map(() => rest.splice(random.whole(0, rest.length - 1), 1)[0] as T);
}
