import { setTimeout as pause } from 'node:timers/promises';
import { generateKeyPair } from '@symbolon/crypto';
import {
  createDataClient,
  createService,
  registerCompany,
  type TestCompany,
  tokenForm,
} from '@symbolon/testkit/actors/actors';
import { ARRIVAL_MOST_MS, PAUSE_MOST_MS, SETTLE_MOST_MS } from '@symbolon/testkit/limits';
import { baseAt } from '@symbolon/testkit/platform/address';
import type { Callable } from '@symbolon/testkit/platform/calls';
import type { Random } from '@symbolon/testkit/platform/random';
import type { Engine } from '../../packages/server/src/db/database.ts';
import { Publisher, type Shop, shopOf } from './model/company.ts';
import { FeedConsumer, WebhookReceiver } from './model/consumers.ts';
import { type Fault as Finding, judge, type ListedConnection, tornAnswers } from './model/judge.ts';
import { Person } from './model/person.ts';
import { type Answer, type Call, Caller } from './support/caller.ts';
import { HealthWatch } from './support/health-watch.ts';
import { type Installation, install, OPERATOR_TOKEN, type Setting } from './support/installation.ts';

const PERSONS = 6;
const ROWS = ['a1', 'a2', 'b', 'c', 'd'].map((slug) => ({
  slug,
  label: slug,
  type: 'text',
  mandatory_provide: slug === 'a1' || slug === 'a2',
}));

/** One saved edit, as acknowledged to its person. */
export interface Acknowledged {
  readonly at: number;
  readonly server: number;
}

/** A platform with people and a company who use it all the time, and a memory of everything that it acknowledged. */
export class World {
  readonly installation: Installation;
  readonly caller = new Caller();
  readonly health: HealthWatch;
  readonly acknowledged: Acknowledged[] = [];
  readonly disturbances: { from: number; until: number }[] = [];
  /** When the company moved, until all had arrived that was on its way then. */
  readonly #moves: { from: number; until: number }[] = [];
  readonly persons: Person[] = [];
  readonly shops: Shop[] = [];
  /** The server of the region where the company is at home. */
  #home = 0;
  /** From then on times of events are no order. */
  clockJumped = false;
  readonly #former: Shop[] = [];
  readonly receivers = new Map<Shop, WebhookReceiver>();
  readonly feeds = new Map<Shop, FeedConsumer>();
  readonly seen: Finding[] = [];
  /** Findings that were reported already. */
  readonly told = new Set<string>();
  publisher!: Publisher;
  #company!: TestCompany;
  readonly #random: Random;
  readonly #tokens = new Map<Shop, string>();
  #lives: Promise<unknown>[] = [];
  #lively = false;
  #ended = false;

  private constructor(installation: Installation, random: Random) {
    this.installation = installation;
    this.#random = random;
    this.health = new HealthWatch(installation.servers);
  }

  static async create(engine: Engine, random: Random, setting: Setting = 'one'): Promise<World> {
    const world = new World(await install(engine, setting), random);
    try {
      await world.#populate();
      return world;
    } catch (error) {
      await world.end();
      throw error;
    }
  }

  async #populate(): Promise<void> {
    const { publicKey } = await generateKeyPair();
    this.#company = await registerCompany(this.#platform);
    const { token } = this.#company;
    const goesOn = () => !this.#ended;
    this.publisher = new Publisher({ token, call: (call) => this.call(call), goesOn }, this.#random.fork());
    const excused = (from: number, until: number) => this.excused(from, until);
    const mayBeLate = (id: string) =>
      this.persons.some((person) => person.id === id && person.counts.doubt > 0);
    for (const [name, byWord] of [
      ['by word', true],
      ['by silence', false],
    ] as const) {
      const shop = await this.addShop(name);
      const call = (of: Shop, made: Call) => this.#dataCall(of, made);
      this.feeds.set(shop, new FeedConsumer({ shop, call, byWord, excused, mayBeLate }));
      const receiver = await WebhookReceiver.start();
      this.receivers.set(shop, receiver);
      await this.#must('POST', `/api/services/${shop.serviceId}/webhooks`, {
        token: this.#company.token,
        body: { url: receiver.url, format: 'json', auth_type: 'none' },
      });
    }
    for (let index = 0; index < PERSONS; index++) {
      let server = 0;
      const person = new Person(
        index,
        {
          shops: this.shops,
          goesOn,
          call: (call) => {
            server = this.#isRegional ? index % 2 : this.#someServer();
            return this.callAt(server, call);
          },
          acknowledged: () => void this.acknowledged.push({ at: performance.now(), server }),
        },
        this.#random.fork(),
      );
      await person.register(publicKey);
      this.persons.push(person);
    }
  }

  /** A service with its data client, which people connect to from now on. */
  async addShop(name: string): Promise<Shop> {
    const service = await createService(this.#platform, this.#company, ROWS);
    const shop = shopOf(name, service, await createDataClient(this.#platform, service));
    this.shops.push(shop);
    return shop;
  }

  /** A service that everybody is connected to and that the company deletes in the middle of things. */
  async addDoomedShop(): Promise<Shop> {
    const shop = await this.addShop('doomed');
    for (const person of this.persons) await person.connect(shop);
    return shop;
  }

  async removeShop(shop: Shop): Promise<void> {
    await this.publisher.remove(shop);
    this.shops.splice(this.shops.indexOf(shop), 1);
    this.#former.push(shop);
  }

  /** Everybody lives. */
  start(): void {
    this.#lively = true;
    const goesOn = () => this.#lively;
    const lives = [
      ...this.persons.map((person) => person.live(goesOn)),
      this.publisher.live([...this.feeds.keys()], goesOn),
      this.#read(goesOn, this.#random.fork()),
      ...[...this.feeds.values()].map((feed) => feed.live(goesOn, this.#random.fork())),
    ];
    // What fails ends the world when it is paused.
    for (const life of lives) life.catch(() => {});
    this.#lives = lives;
    this.health.start();
  }

  /** Everybody comes to the end of what is in hand. */
  async pause(): Promise<void> {
    this.#lively = false;
    await Promise.all(this.#lives);
    this.#lives = [];
    await this.health.stop();
  }

  /** Breaks something, and remembers when: what came meanwhile may come again. */
  async disturb(work: () => Promise<void>, harmless = false): Promise<{ from: number; until: number }> {
    const disturbance = { from: performance.now(), until: Number.POSITIVE_INFINITY };
    if (!harmless) this.disturbances.push(disturbance);
    await work().finally(() => {
      disturbance.until = performance.now();
    });
    return disturbance;
  }

  excused(from: number, until: number): boolean {
    return during(this.disturbances, from, until);
  }

  /** Waits until all that is owed has come, and compares. Regions tell each other what happened, which takes a moment. */
  async judge(): Promise<Finding[]> {
    const seen: Finding[] = [];
    const deadline = performance.now() + (this.#isRegional ? ARRIVAL_MOST_MS : 0);
    for (;;) {
      const findings = await this.#compare();
      seen.push(...this.seen.splice(0));
      const mayHeal = findings.some(({ kind }) => kind === 'lost' || kind === 'half-written');
      if (!mayHeal || performance.now() > deadline) {
        for (const move of this.#moves) move.until = Math.min(move.until, performance.now());
        return [...seen, ...findings];
      }
      await pause(200);
    }
  }

  async #compare(): Promise<Finding[]> {
    const views = new Map<Person, Awaited<ReturnType<Person['view']>>>();
    for (const person of this.persons) views.set(person, await person.view());
    await this.#settle();
    const shops = [...this.feeds.keys()];
    const lists = new Map<Shop, ListedConnection[]>();
    const configs = new Map<Shop, Awaited<ReturnType<Publisher['look']>>>();
    for (const shop of shops) {
      configs.set(shop, await this.publisher.look(shop));
      lists.set(shop, await this.#list(shop));
    }
    const findings = judge({
      persons: this.persons,
      shops,
      lists,
      views,
      configs,
      feeds: this.feeds,
      receivers: this.receivers,
      excused: (from, until) => this.excused(from, until),
      moved: (from, until) => during(this.#moves, from, until),
      timesOrder: !this.clockJumped,
    });
    for (const shop of this.#former) {
      for (const [person, { connections }] of views) {
        if (!connections.some(({ service }) => service.id === shop.serviceId)) continue;
        findings.push({
          kind: 'wrong',
          text: `person ${person.index} sees a connection of a deleted service`,
        });
      }
    }
    return findings;
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#lively = false;
    await this.health.stop();
    await Promise.allSettled(this.#lives);
    for (const receiver of this.receivers.values()) await receiver.stop();
    await this.installation.end();
  }

  /** An act that sends a mail. */
  inviteSomebody(email: string): Promise<Answer> {
    return this.call({
      method: 'POST',
      path: '/api/delegates',
      token: this.#company.token,
      body: { email, role: 'viewer' },
    });
  }

  /** At some server of one region; at the company's home, which a client learns of by a 421 (wire 5.2). */
  async call(call: Call): Promise<Answer> {
    if (!this.#isRegional) return this.callAt(this.#someServer(), call);
    const answer = await this.callAt(this.#home, call);
    if (answer.key !== 'region.rebase_required') return answer;
    this.#home = this.installation.serverOf(answer.body.api_url) ?? this.#home;
    return this.callAt(this.#home, call);
  }

  /** A load balancer leaves those out that do not answer. */
  #someServer(): number {
    const answering = [...this.installation.servers.entries()].filter(([, { process }]) => !process.frozen);
    return answering.length === 0 ? 0 : this.#random.pick(answering)[0];
  }

  get #isRegional(): boolean {
    return this.installation.setting === 'regions';
  }

  /**
   * Moves the company to the other region, as far as that is possible in a time: a move back so soon waits by design.
   * @returns the state of the move at last
   */
  async moveCompany(mostMs: number): Promise<string> {
    this.#moves.push({ from: performance.now(), until: Number.POSITIVE_INFINITY });
    const [server, to] = this.#home === 0 ? [0, 'us'] : [1, 'eu'];
    const token = OPERATOR_TOKEN;
    const deadline = performance.now() + mostMs;
    let id: string | undefined;
    let state = 'not asked';
    while (performance.now() < deadline) {
      const answer = await this.callAt(
        server,
        id === undefined
          ? {
              method: 'POST',
              path: `/api/admin/companies/${this.#company.id}/moves`,
              token,
              body: { region: to },
            }
          : { method: 'GET', path: `/api/admin/moves/${id}`, token },
      );
      if (answer.outcome === 'done') {
        id = answer.body.id;
        state = answer.body.state;
        if (state === 'switched' || state === 'done') break;
      } else if (id === undefined && answer.outcome === 'refused' && answer.status === 409) break;
      await pause(100);
    }
    return state;
  }

  callAt(server: number, call: Call): Promise<Answer> {
    const edge = this.installation.servers[server]?.edge;
    return this.caller.call(baseAt(edge?.port ?? 0), call);
  }

  async #dataCall(shop: Shop, call: Call): Promise<Answer> {
    let token = this.#tokens.get(shop);
    if (token === undefined) {
      const { clientId, clientSecret } = shop.client;
      const body = tokenForm(clientId, clientSecret);
      const granted = await this.call({ method: 'POST', path: '/oauth2/token', body });
      if (granted.outcome !== 'done') return granted;
      token = granted.body.access_token as string;
      this.#tokens.set(shop, token);
    }
    const answer = await this.call({ ...call, token });
    if (answer.status === 401) this.#tokens.delete(shop);
    return answer;
  }

  /** The company reads its lists all the time: what it sees is never half of something. */
  async #read(goesOn: () => boolean, random: Random): Promise<void> {
    const shops = [...this.feeds.keys()];
    while (goesOn()) {
      await pause(random.whole(100, 500));
      const path = '/api/company-data/connections?limit=500';
      const { outcome, body } = await this.#dataCall(random.pick(shops), { method: 'GET', path });
      if (outcome !== 'done') continue;
      for (const text of tornAnswers(body.items)) this.seen.push({ kind: 'half-written', text });
    }
  }

  async #list(shop: Shop): Promise<ListedConnection[]> {
    for (;;) {
      const path = '/api/company-data/connections?limit=500';
      const { outcome, body } = await this.#dataCall(shop, { method: 'GET', path });
      if (outcome === 'done') return body.items;
      if (this.#ended) throw new Error('The world ended before the list was answered.');
    }
  }

  /** Feeds and queues are empty, jobs are done. */
  async #settle(): Promise<void> {
    const deadline = performance.now() + SETTLE_MOST_MS;
    for (const [shop, feed] of this.feeds) {
      let rest = '';
      for (let empty = 0; empty < 3; ) {
        await feed.drain();
        const backlog = await this.publisher.backlog(shop);
        const jobs = await this.publisher.openJobs(shop);
        rest = `${backlog} parked, ${jobs} jobs, the feed is ${feed.isEmpty ? '' : 'not '}empty`;
        empty = feed.isEmpty && backlog === 0 && jobs === 0 ? empty + 1 : 0;
        if (performance.now() > deadline) {
          this.seen.push({ kind: 'wrong', text: `${shop.name}: it does not settle: ${rest}` });
          break;
        }
        await pause(empty > 0 ? 20 : 100);
      }
      await this.#quiet(shop, deadline);
    }
  }

  /** A webhook that is running has no backlog: the last deliveries are on their way until nothing comes any more. */
  async #quiet(shop: Shop, deadline: number): Promise<void> {
    const receiver = this.receivers.get(shop);
    let seen = -1;
    while (receiver !== undefined && performance.now() < deadline) {
      const now = receiver.delivered.length;
      if (now === seen) return;
      seen = now;
      await pause(400);
    }
  }

  /** For the actors of other tests. */
  get #platform(): Pick<Callable, 'must'> {
    return { must: (method, path, options = {}) => this.#must(method, path, options) };
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  async #must(method: string, path: string, options: { token?: string; body?: unknown }): Promise<any> {
    const deadline = performance.now() + PAUSE_MOST_MS;
    for (;;) {
      const made = { method, path, ...options };
      const answer = await (this.#isRegional ? this.call(made) : this.callAt(0, made));
      if (answer.outcome === 'done') return answer.body;
      // The company may still be on its way.
      if (answer.key !== 'db.writes_paused' || performance.now() > deadline)
        throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
      await pause(200);
    }
  }
}

const during = (times: readonly { from: number; until: number }[], from: number, until: number) =>
  times.some((one) => one.from <= until && one.until >= from);
