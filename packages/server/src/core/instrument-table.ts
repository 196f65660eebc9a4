/** What the platform measures. The page docs/metrics.md is made of this table: `npm run metrics-page`. */

/** Seconds. */
const QUICK = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SLOW = [0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200, 86_400];

interface Instrument {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** Of UCUM, as OpenTelemetry has it: seconds, bytes, things in braces. */
  readonly unit: string;
  readonly help: string;
  /** What tells its series apart, and the values there are. Never a company, a person, an address or a path. */
  readonly labels: Readonly<Record<string, string>>;
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
  /** The same in every process that shares the database: take the largest, not the sum. */
  readonly ofDatabase?: boolean;
}

export const instrumentTable = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    help: 'Duration of requests.',
    labels: {
      'http.request.method': 'GET, POST and so on',
      'http.route': 'the pattern of the route, such as /api/services/:id; empty for an unknown address',
      'http.response.status_code': 'the status',
    },
    buckets: QUICK,
  },
  'symbolon.security.refusals': {
    kind: 'counter',
    unit: '{refusal}',
    help: 'Refused sign-ins, tokens, calls and peers; attacks, perhaps.',
    labels: {
      kind: 'sign_in_failed, token_refused, throttled, forbidden, peer_refused',
      reason: 'the error key',
    },
  },
  'symbolon.feed.events': {
    kind: 'gauge',
    unit: '{event}',
    help: 'Events in all change feeds that no client has drained.',
    labels: {},
    ofDatabase: true,
  },
  'symbolon.feed.oldest_age': {
    kind: 'gauge',
    unit: 's',
    help: 'Age of the oldest event in a change feed. Events are deleted after seven days.',
    labels: {},
    ofDatabase: true,
  },
  'symbolon.webhooks': {
    kind: 'gauge',
    unit: '{webhook}',
    help: 'Webhooks by health.',
    labels: { health: 'running, bad, unknown' },
    ofDatabase: true,
  },
  'symbolon.webhooks.events': {
    kind: 'gauge',
    unit: '{event}',
    help: 'Events that wait for delivery to webhooks, with those that wait for bad ones.',
    labels: {},
    ofDatabase: true,
  },
  'symbolon.webhooks.oldest_age': {
    kind: 'gauge',
    unit: 's',
    help: 'Age of the oldest event that waits for a webhook, be it a bad one.',
    labels: {},
    ofDatabase: true,
  },
  'symbolon.webhooks.delivery.duration': {
    kind: 'histogram',
    unit: 's',
    help: 'Duration of one delivery to a webhook, until its answer.',
    labels: { outcome: 'delivered, or the kind of the failure' },
    buckets: QUICK,
  },
  'symbolon.webhooks.delivery.latency': {
    kind: 'histogram',
    unit: 's',
    help: 'Time from an event to its delivery to a webhook that was running all the while.',
    labels: {},
    buckets: SLOW,
  },
  'symbolon.jobs.waiting': {
    kind: 'gauge',
    unit: '{job}',
    help: 'Jobs that are not done; 10001 stands for more than ten thousand.',
    labels: {},
    ofDatabase: true,
  },
  'symbolon.jobs.oldest_age': {
    kind: 'gauge',
    unit: 's',
    help: 'Age of the oldest job that is not done.',
    labels: {},
    ofDatabase: true,
  },
  'symbolon.regions.messages.waiting': {
    kind: 'gauge',
    unit: '{message}',
    help: 'Messages that wait for another region; 10001 stands for more than ten thousand.',
    labels: { region: 'the other region' },
    ofDatabase: true,
  },
  'symbolon.regions.messages.oldest_age': {
    kind: 'gauge',
    unit: 's',
    help: 'Age of the oldest message that waits for another region.',
    labels: { region: 'the other region' },
    ofDatabase: true,
  },
  'symbolon.regions.messages.lost': {
    kind: 'counter',
    unit: '{lane}',
    help: 'Lanes whose messages another region lost, because it came back from a backup that is older than what is kept for it.',
    labels: { region: 'the other region' },
  },
  'symbolon.db.commit.size': {
    kind: 'histogram',
    unit: '{transaction}',
    help: 'Transactions that one commit of the embedded database saves.',
    labels: {},
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
  },
  'symbolon.db.pool.waiting': {
    kind: 'gauge',
    unit: '{request}',
    help: 'Queries that wait for a connection to PostgreSQL.',
    labels: { pool: 'calls, vital' },
  },
  'symbolon.db.pool.used': {
    kind: 'gauge',
    unit: '{connection}',
    help: 'Connections to PostgreSQL that are in use.',
    labels: { pool: 'calls, vital' },
  },
  'symbolon.seal.duration': {
    kind: 'histogram',
    unit: 's',
    help: 'Duration of sealing a document.',
    labels: { outcome: 'the level reached (B-B, B-T, B-LT), or the reason why not' },
    buckets: QUICK,
  },
  'symbolon.seal.waiting': {
    kind: 'gauge',
    unit: '{file}',
    help: 'PDF files that wait for a process that reads them.',
    labels: { lane: 'acts: to be sealed; others: templates and documents of flows' },
  },
  'symbolon.seal.certificate.remaining': {
    kind: 'gauge',
    unit: 's',
    help: 'Time until the configured certificate of the seal expires; below zero: it has.',
    labels: {},
  },
  'symbolon.tls.certificate.remaining': {
    kind: 'gauge',
    unit: 's',
    help: 'Time until the certificate expires with which the process speaks TLS itself.',
    labels: {},
  },
  'symbolon.backup.age': {
    kind: 'gauge',
    unit: 's',
    help: 'Age of the newest backup that was made to its end. Missing before the first one.',
    labels: {},
    ofDatabase: true,
  },
  'symbolon.backup.proof_age': {
    kind: 'gauge',
    unit: 's',
    help: 'Age of the newest backup of the schedule that was restored on trial; before the first, time since the process began. Missing without a schedule.',
    labels: {},
    ofDatabase: true,
  },
  'symbolon.disk.free': {
    kind: 'gauge',
    unit: 'By',
    help: 'Free space of the data folder.',
    labels: {},
  },
  'symbolon.check': {
    kind: 'gauge',
    unit: '1',
    help: 'Checks of /readyz: 1 works, 0 does not. One that has not answered yet is missing.',
    labels: { check: 'database, migrations, disk, rate_limits, files, mail, seal, tls, workers, peers' },
  },
  'symbolon.ready': {
    kind: 'gauge',
    unit: '1',
    help: 'Whether the process is ready: 1 also when it is degraded.',
    labels: {},
  },
  'symbolon.info': {
    kind: 'gauge',
    unit: '1',
    help: 'Always 1; its labels say what runs.',
    labels: { version: 'of the platform', region: 'its name', engine: 'sqlite, postgres, none' },
  },
  'process.memory.usage': { kind: 'gauge', unit: 'By', help: 'Memory of the process (RSS).', labels: {} },
  'process.cpu.time': { kind: 'gauge', unit: 's', help: 'Processor time since the start.', labels: {} },
  ...eventLoopDelays({
    min: 'Least delay',
    max: 'Largest delay',
    mean: 'Mean delay',
    stddev: 'Standard deviation of the delay',
    p50: 'Median delay',
    p90: '90th percentile of the delay',
    p99: '99th percentile of the delay',
  }),
} as const satisfies Readonly<Record<string, Instrument>>;

type Delays<Part extends string> = Record<
  `nodejs.eventloop.delay.${Part}`,
  {
    readonly kind: 'gauge';
    readonly unit: 's';
    readonly help: string;
    readonly labels: Readonly<Record<never, string>>;
  }
>;

function eventLoopDelays<Part extends string>(parts: Record<Part, string>): Delays<Part> {
  return Object.fromEntries(
    Object.entries<string>(parts).map(([part, help]) => [
      `nodejs.eventloop.delay.${part}`,
      { kind: 'gauge', unit: 's', help: `${help} of the event loop in the last minute or two.`, labels: {} },
    ]),
  ) as Delays<Part>;
}

type Table = typeof instrumentTable;
export type InstrumentName = keyof Table;
type OfKind<Kind> = {
  [Name in InstrumentName]: Table[Name]['kind'] extends Kind ? Name : never;
}[InstrumentName];
export type CounterName = OfKind<'counter'>;
export type HistogramName = OfKind<'histogram'>;
export type GaugeName = OfKind<'gauge'>;
/** The labels of an instrument: all of them, and no other. */
export type Labels<Name extends InstrumentName> = {
  readonly [Label in keyof Table[Name]['labels']]: string | number;
};

/** As the text format of Prometheus has it. */
export const prometheusName = (name: string, kind: Instrument['kind']): string =>
  `${name.replaceAll('.', '_')}${kind === 'counter' ? '_total' : ''}`;
