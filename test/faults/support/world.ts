import { createPrivateKey, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { generateKeyPair } from '@symbolon/crypto';
import {
  createService,
  dataToken,
  registerCompany,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { openPlace } from '@symbolon/testkit/platform/places';
import { PlatformProcess } from '@symbolon/testkit/platform/process';
import type { Random } from '@symbolon/testkit/platform/random';
import { SLOW_DATABASE, STALLED, watchStalls } from '@symbolon/testkit/platform/stalls';
import pg from 'pg';
import type { WebhookPace } from '../../../packages/server/src/domains/delivery/webhooks/pace.ts';
import { Ledger } from './ledger.ts';
import { Load, SLUGS } from './load.ts';
import {
  type Disturbance,
  type HealthLogEntry,
  judge,
  judgeHealth,
  STOOD_STILL,
  type WebhookUnderTest,
} from './model.ts';
import { MoodyReceiver } from './receiver.ts';

const PASSPHRASE = 'of the account key';

/** Real time, shortened: the proportions are those of the service. */
export const FAST: WebhookPace = {
  probePauseMs: 300,
  scanMs: 150,
  postTimeoutMs: 1500,
  testMostMs: 1000,
  leaseMs: 3000,
  leaseRenewMs: 400,
  leaseMarginMs: 700,
};

interface Shape {
  readonly service: 0 | 1;
  readonly events?: readonly string[];
  readonly format?: 'json' | 'xml';
  readonly auth: 'hmac' | 'bearer' | 'basic' | 'header' | 'none';
  readonly encrypt?: boolean;
}

/** The webhooks of a world: each mode, each format, some that want only a part. */
export const SHAPES: readonly Shape[] = [
  { service: 0, auth: 'hmac' },
  { service: 0, auth: 'bearer', format: 'xml' },
  { service: 0, auth: 'hmac', encrypt: true },
  { service: 0, auth: 'header', events: ['connection_created', 'field_updated', 'connection_deleted'] },
  { service: 1, auth: 'basic' },
  { service: 1, auth: 'none', format: 'xml', encrypt: true },
  { service: 1, auth: 'hmac', format: 'xml' },
  { service: 1, auth: 'none', events: ['consent_accepted', 'connection_deleted'] },
];

const CREDENTIALS = {
  hmac: {},
  none: {},
  bearer: { auth_token: 'the-token' },
  basic: { auth_username: 'me', auth_password: 'open sesame' },
  header: { auth_header_name: 'X-My-Key', auth_header_value: 'my value' },
} as const;
const HEADERS: Partial<Record<Shape['auth'], readonly [string, string]>> = {
  bearer: ['authorization', 'Bearer the-token'],
  basic: ['authorization', `Basic ${btoa('me:open sesame')}`],
  header: ['x-my-key', 'my value'],
};

interface Parts {
  readonly servers: readonly PlatformProcess[];
  readonly services: readonly TestService[];
  readonly webhooks: readonly WebhookUnderTest[];
  readonly company: TestCompany;
  readonly tokens: ReadonlyMap<string, string>;
  readonly publicKey: string;
  /** Undefined on SQLite. */
  readonly databaseUrl: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

/** A platform of several processes, a company with two services, their webhooks, and all that is remembered of them. */
export class World {
  readonly servers: readonly PlatformProcess[];
  readonly services: readonly TestService[];
  readonly webhooks: readonly WebhookUnderTest[];
  readonly ledger = new Ledger();
  readonly disturbances: Disturbance[] = [];
  readonly publicKey: string;
  /** What its processes have in common. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #parts: Parts;
  readonly #loads: Load[] = [];
  readonly #stopWatching: () => void;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.servers = parts.servers;
    this.services = parts.services;
    this.webhooks = parts.webhooks;
    this.publicKey = parts.publicKey;
    this.environment = parts.environment;
    this.#stopWatching = watchStalls((ms) => this.#disturbed(`the receivers ${STOOD_STILL}`, ms));
    for (const server of this.servers) {
      server.hears.set(STALLED, (ms) => this.#disturbed(`a server ${STOOD_STILL}`, Number(ms)));
      // A process that cannot renew a lease gives up the POST in hand: its answer may have been a 200.
      server.hears.set(SLOW_DATABASE, (ms) => this.#disturbed('the database was slow', Number(ms)));
    }
  }

  /** @param options.databaseUrl of an empty PostgreSQL database; 'new' makes one that goes with the world */
  static async create(options: {
    random: Random;
    processes: number;
    databaseUrl?: string;
    pace?: WebhookPace;
    shapes?: readonly Shape[];
    environment?: Readonly<Record<string, string>>;
  }): Promise<World> {
    const { random, processes, pace = FAST, shapes = SHAPES, environment } = options;
    const place = await openPlace(options.databaseUrl === 'new' ? 'postgres' : 'sqlite');
    const databaseUrl = place.databaseUrl ?? options.databaseUrl;
    const shared = {
      ...place.environment,
      SYMBOLON_SECRET: randomBytes(32).toString('base64'),
      SYMBOLON_LOG_LEVEL: 'fatal',
      SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
      SYMBOLON_FAULTS_PACE: JSON.stringify(pace),
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      ...environment,
    };
    const servers: PlatformProcess[] = [];
    const receivers: MoodyReceiver[] = [];
    const end = async () => {
      await Promise.all(servers.map((server) => server.kill()));
      await Promise.all(receivers.map((receiver) => receiver.stop()));
      await place[Symbol.asyncDispose]();
    };
    try {
      for (let index = 0; index < processes; index++)
        servers.push(await PlatformProcess.create({ ...shared, SYMBOLON_INSTANCE: instanceName(index) }));
      // All at once: they bring one empty database up to date.
      await Promise.all(servers.map((server) => server.start()));
      const platform = servers[0] as PlatformProcess;
      const company = await registerCompany(platform);
      const { private_key_pem } = await platform.must('POST', '/api/account-key', {
        token: company.token,
        body: { login_secret: company.loginSecret, passphrase: PASSPHRASE },
      });
      const accountKey = createPrivateKey({ key: private_key_pem, passphrase: PASSPHRASE });
      const rows = SLUGS.map((slug) => ({ slug, label: slug, type: 'text' }));
      const services = [
        await createService(platform, company, rows),
        await createService(platform, company, rows),
      ];
      const tokens = new Map<string, string>();
      for (const service of services) tokens.set(service.id, await dataToken(platform, service));
      const webhooks: WebhookUnderTest[] = [];
      for (const shape of shapes) {
        const receiver = await MoodyReceiver.start(random.fork(), pace.postTimeoutMs);
        receivers.push(receiver);
        const service = services[shape.service] as TestService;
        const { events = [], format = 'json', auth, encrypt = false } = shape;
        const created = await platform.must('POST', `/api/services/${service.id}/webhooks`, {
          token: company.token,
          body: {
            url: receiver.url,
            events,
            format,
            auth_type: auth,
            encrypt_payload: encrypt,
            ...CREDENTIALS[auth],
          },
        });
        webhooks.push({
          id: created.id,
          service: service.id,
          events,
          format,
          receiver,
          accountKey: encrypt ? accountKey : undefined,
          hmacSecret: created.hmac_secret_once,
          header: HEADERS[auth],
        });
      }
      const { publicKey } = await generateKeyPair();
      const parts = { servers, services, webhooks, company, tokens, publicKey, databaseUrl };
      return new World({ ...parts, environment: shared, end });
    } catch (error) {
      await end();
      throw error;
    }
  }

  load(): Load {
    const load = new Load(this);
    this.#loads.push(load);
    return load;
  }

  /** Runs what breaks the platform; answers of that time may not have been written down. */
  async disturb(what: string, work: () => Promise<void>): Promise<void> {
    const disturbance = { what, from: performance.now(), until: Number.POSITIVE_INFINITY };
    this.disturbances.push(disturbance);
    await work();
    disturbance.until = performance.now();
  }

  #disturbed(what: string, ms: number): void {
    const until = performance.now();
    this.disturbances.push({ what, from: until - ms, until });
  }

  /** Kills and starts every process at random until stopped; then all run. */
  async killAtRandom(random: Random, goesOn: () => boolean): Promise<void> {
    const others = this.servers.length - 1;
    await Promise.all(
      this.servers.map(async (server) => {
        const own = random.fork();
        while (goesOn()) {
          await pause(own.whole(0, 600 + 800 * others));
          if (own.chance(0.75)) await this.disturb('a kill', () => server.kill());
          // In order: whatever comes again after this has no excuse.
          else await server.stop();
          if (others > 0) await pause(own.whole(0, 1500));
          await server.start();
        }
      }),
    );
  }

  /** Changes the configuration of a webhook. */
  configure({ service, id }: WebhookUnderTest, body: object): Promise<unknown> {
    const { token } = this.#parts.company;
    return this.#first.must('PUT', `/api/services/${service}/webhooks/${id}`, { token, body });
  }

  look({ service, id }: WebhookUnderTest): Promise<{ health: string; backlog: number }> {
    const { token } = this.#parts.company;
    return this.#first.must('GET', `/api/services/${service}/webhooks/${id}`, { token });
  }

  get #first(): PlatformProcess {
    return this.servers[0] as PlatformProcess;
  }

  /** Heals every receiver and waits for the queues to empty: as long as there is progress, and not for ever. */
  async settle(): Promise<void> {
    for (const { receiver } of this.webhooks) receiver.healed = true;
    let seen = '';
    let unchanged = 0;
    for (let looks = 1; ; looks++) {
      const webhooks = [];
      for (const service of this.services) webhooks.push(...(await this.#webhooksOf(service)));
      if (webhooks.every(({ health, backlog }) => health === 'running' && backlog === 0)) return;
      const state = JSON.stringify(webhooks.map(({ health, backlog }) => [health, backlog]));
      unchanged = state === seen ? unchanged + 1 : 0;
      seen = state;
      if (unchanged > STUCK_LOOKS || looks > LOOKS_MOST) {
        throw new Error(`The queues do not empty: ${state}`);
      }
      await pause(100);
    }
  }

  /** PostgreSQL: the process that has the lease of a webhook. */
  async holder(webhookId: string): Promise<PlatformProcess> {
    const client = new pg.Client({ connectionString: this.#parts.databaseUrl });
    await client.connect();
    try {
      const { rows } = await client.query('select lease_owner from webhooks where id = $1', [webhookId]);
      const holder = this.servers.find((_server, index) => rows[0]?.lease_owner === instanceName(index));
      if (holder === undefined) throw new Error('The lease is free.');
      return holder;
    } finally {
      await client.end();
    }
  }

  /** Compares what arrived with what was done; throws with all that is wrong. */
  async judge(): Promise<string> {
    const verdict = judge(this.webhooks, this.ledger, this.disturbances);
    const faults = [
      ...verdict.faults,
      ...judgeHealth(this.webhooks, await this.#healthLog()),
      ...this.servers.flatMap(({ endings }) => endings),
    ];
    if (faults.length > 0) throw new Error(faults.join('\n'));
    const { deliveries, rows, repeated } = verdict;
    return `${this.ledger.acts.length} acts, ${rows} events, ${deliveries} deliveries, ${repeated} again after a break, ${this.disturbances.length} breaks`;
  }

  async end(): Promise<void> {
    for (const load of this.#loads) load.abandon();
    this.#stopWatching();
    await this.#parts.end();
  }

  #webhooksOf(service: TestService): Promise<{ id: string; health: string; backlog: number }[]> {
    return this.#first
      .must('GET', `/api/services/${service.id}/webhooks`, { token: this.#parts.company.token })
      .then(({ webhooks }) => webhooks);
  }

  async #healthLog(): Promise<HealthLogEntry[]> {
    const entries: HealthLogEntry[] = [];
    for (const [, token] of this.#parts.tokens) {
      const newestFirst: { type: string; metadata: HealthLogEntry }[] = [];
      for (;;) {
        const page = await this.#first.must(
          'GET',
          `/api/company-data/logs?limit=500&offset=${newestFirst.length}`,
          { token },
        );
        newestFirst.push(...page.items);
        if (page.items.length < 500) break;
      }
      entries.push(
        ...newestFirst
          .filter(({ type, metadata }) => type === 'webhook' && metadata.trigger !== undefined)
          .map(({ metadata }) => metadata)
          .reverse(),
      );
    }
    return entries;
  }
}

/** A queue that has not moved while it was looked at so often is stuck: whoever is slow answers each look later. */
const STUCK_LOOKS = 400;
const LOOKS_MOST = 1500;

const instanceName = (index: number) => `instance-${index}`;
