import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { personAccount } from '@symbolon/testkit/actors/accounts';
import type { TestService } from '@symbolon/testkit/actors/actors';
import type { Answer, Callable } from '@symbolon/testkit/platform/calls';
import type { Random } from '@symbolon/testkit/platform/random';
import type { Act, Ledger } from './ledger.ts';

/** Longer than any answer takes unless its process is gone or frozen. */
const CALL_MOST_MS = 15_000;
/** How often one after the other asks in vain, with a pause after each time. */
const ATTEMPTS_MOST = 3000;

/** People who connect, edit, provide, unmap and leave, one life after the other, whatever breaks under them. */
export class Load {
  readonly #platforms: readonly Callable[];
  readonly #services: readonly TestService[];
  readonly #publicKey: string;
  readonly #ledger: Ledger;
  #stopped = false;
  #abandoned = false;
  #unanswered = 0;
  #lives: Promise<void>[] = [];
  lived = 0;

  constructor(parts: {
    platforms: readonly Callable[];
    services: readonly TestService[];
    publicKey: string;
    ledger: Ledger;
  }) {
    this.#platforms = parts.platforms;
    this.#services = parts.services;
    this.#publicKey = parts.publicKey;
    this.#ledger = parts.ledger;
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

  /** When the rest of the test has failed: nobody waits any more. */
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
    for (const service of this.#services) {
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
    for (;;) {
      const answer = await this.#try(random, 'POST', '/api/person/register', undefined, {
        email: `${randomBytes(8).toString('hex')}@example.com`,
        account: personAccount(this.#publicKey),
      });
      if (answer === undefined) continue;
      expect(answer, 201);
      return { id: answer.body.person.person_user_id, token: answer.body.access_token };
    }
  }

  async #createField(random: Random, person: Person): Promise<string> {
    for (;;) {
      const slug = `f${randomBytes(6).toString('hex')}`;
      const answer = await this.#try(random, 'POST', '/api/person/fields', person.token, {
        type: 'text',
        slug,
        label: slug,
        value: fakeWrapper(),
      });
      if (answer === undefined) continue;
      expect(answer, 201);
      return answer.body.id;
    }
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
    for (;;) {
      const act = this.#ledger.sending(about);
      const answer = await this.#try(random, 'POST', '/api/person/connections', person.token, {
        company_code: service.company.code,
        service_code: service.code,
        decisions,
      });
      if (answer === undefined) continue;
      expect(answer, 201, 409);
      // An attempt that was not answered had happened.
      this.#ledger.known(act);
      if (answer.status === 201) {
        connection.id = answer.body.connection_id;
        return connection;
      }
      const { body } = await this.#definitely(random, 'GET', '/api/person/connections', person.token);
      const own = body.connections as { connection_id: string; service: { id: string } }[];
      connection.id = own.find((row) => row.service.id === service.id)?.connection_id ?? '';
      return connection;
    }
  }

  /** Answers more rows: never twice, for the second time would be other events. */
  async #provide(random: Random, person: Person, connection: Connection, fields: readonly string[]) {
    if (!connection.sure) return;
    const acts = PROVIDED.map((slug) =>
      this.#ledger.sending({
        service: connection.service.id,
        kind: 'consent',
        event: 'consent_accepted',
        person: person.id,
        slug,
      }),
    );
    const provided = () => {
      this.#ledger.known(...acts);
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
    for (;;) {
      const acts = UNMAPPED.map((slug) =>
        this.#ledger.sending({
          service: connection.service.id,
          kind: 'field',
          event: 'field_deleted',
          person: person.id,
          slug,
        }),
      );
      const path = `/api/person/connections/${connection.id}/mappings`;
      const answer = await this.#try(random, 'PUT', path, person.token, {
        decisions: UNMAPPED.map((slug) => ({
          request_field_id: connection.service.rows[slug],
          kind: 'remove',
        })),
      });
      if (answer === undefined) continue;
      expect(answer, 200);
      this.#ledger.known(...acts);
      return;
    }
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
    for (;;) {
      const acts: Act[] = [];
      const copies = slots.map(({ connection: { id, service }, slug }) => {
        const value = fakeWrapper();
        const about = {
          service: service.id,
          kind: 'field',
          event: 'field_updated',
          person: person.id,
        } as const;
        acts.push(this.#ledger.sending({ ...about, slug }, JSON.stringify(value)));
        return { connection_id: id, request_field_id: service.rows[slug], value };
      });
      const answer = await this.#try(random, 'PUT', `/api/person/fields/${fields[field]}`, person.token, {
        value: fakeWrapper(),
        copies,
      });
      if (answer === undefined) continue;
      expect(answer, 200);
      this.#ledger.known(...acts);
      return;
    }
  }

  async #leave(random: Random, person: Person, connection: Connection): Promise<void> {
    for (;;) {
      const act = this.#ledger.sending({
        service: connection.service.id,
        kind: 'left',
        event: 'connection_deleted',
        person: person.id,
      });
      const path = `/api/person/connections/${connection.id}`;
      const answer = await this.#try(random, 'DELETE', path, person.token);
      if (answer === undefined) continue;
      expect(answer, 204, 404);
      this.#ledger.known(act);
      return;
    }
  }

  async #definitely(random: Random, method: string, path: string, token: string): Promise<Answer> {
    for (;;) {
      const answer = await this.#try(random, method, path, token);
      if (answer === undefined) continue;
      expect(answer, 200);
      return answer;
    }
  }

  /** One attempt at some process; undefined when nobody can tell what became of it. */
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
      const answer = await random.pick(this.#platforms).call(method, path, {
        ...(token !== undefined && { token }),
        body,
        signal: AbortSignal.timeout(CALL_MOST_MS),
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
    value: fakeWrapper(),
  };
}

/** Shaped like a sealed value: the platform cannot tell, and no two are alike. */
function fakeWrapper() {
  return { _enc: 1, k: base64(256), iv: base64(12), d: base64(24) };
}

const base64 = (bytes: number) => randomBytes(bytes).toString('base64');

function expect(answer: Answer, ...statuses: readonly number[]): void {
  if (!statuses.includes(answer.status)) {
    throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const rest = [...items];
  return items.map(() => rest.splice(random.whole(0, rest.length - 1), 1)[0] as T);
}
