import {
  AccountEvent,
  accountClientBaseline,
  capabilityPatterns,
  dataClientWhitelist,
  defaultRateLimits,
  type ErrorKey,
  Event,
  type EventName,
  errorCatalogue,
  limits,
  portalOnlyPatterns,
  type RateLimitClass,
} from '@symbolon/protocol';

/*
 * The rows of the specification's tables that the platform serves; each is proved by a test (`proves` in evidence.ts).
 * Routes are added from the OpenAPI document by whoever starts a platform.
 */

/** Events that nothing raises yet; one that occurs in a test although it is listed here fails the run. */
const NOT_RAISED = [Event.keyRotated] as const;
type Raised = Exclude<EventName, (typeof NOT_RAISED)[number]> | (typeof AccountEvent)['shareChanged'];

const events = [...new Set([...Object.values(Event), ...Object.values(AccountEvent)])].filter(
  (event): event is Raised => !NOT_RAISED.some((name) => name === event),
);

/** States and transitions, as the wire's tables have them. */
const states = {
  'challenge.none-pending': 'a service asks an enrolled person',
  'challenge.pending-approved': 'the person approves',
  'challenge.pending-denied': 'the person denies',
  'challenge.wrong-digits-denied': 'the third wrong entry of digits denies',
  'challenge.pending-expired': 'it is not answered in time',
  'challenge.pending-revoked': 'the person revokes the enrolment or mutes the service',
  'challenge.outcome-consumed': 'the first poll uses the outcome up',
  'document.offered-ended': 'a customer cancels what it has not signed or accepted',
  'document.active-ended': 'a customer cancels what is active, and the day has come',
  'document.active-ending': 'a customer cancels what is active, to a later day',
  'document.ending-ended': 'the day of a cancelled contract has come',
  'document.acted-stays':
    'a copy of a run is signed or accepted, and stays open until the other parties have acted',
  'document.waiting-open': 'the turn of a copy of a run comes',
  'document.waiting-active': 'the last party acts, and all copies of a run are active',
  'document.withdrawn':
    'a company withdraws the documents of a run, before the first signature or acceptance',
  'document.run-ended': 'a run is cancelled, and all copies of its documents end, signed ones too',
  'webhook.created-unknown': 'a new webhook is unknown',
  'webhook.running-bad': 'a failed delivery parks what waits and what comes',
  'webhook.bad-unknown': 'after ten minutes the oldest event is sent as a probe',
  'webhook.unknown-running': 'an answered probe replays the backlog in its order',
  'webhook.unknown-bad': 'a failed probe keeps the event and begins ten minutes again',
  'connection.person-connects': 'a person connects',
  'connection.person-ends': 'a person disconnects',
  'connection.company-connects': 'a company connects as a customer',
  'connection.company-ends': 'a company that is a customer disconnects',
  'connection.service-ends': 'the service ends a connection',
  'connect-request.open-accepted': 'a person accepts a request to connect',
  'connect-request.open-rejected': 'a person rejects one',
  'connect-request.open-expired': 'it is not answered in 30 days',
  'slot.live': 'a live answer follows its field',
  'slot.one-time': 'a one-time answer stays as it was shared',
  'slot.dropped': 'a live answer is dropped by another mapping',
  'slot.field-deleted': 'a live answer goes with its field',
  'consent.pending-accepted': 'an open consent is provided',
  'consent.pending-declined': 'an open consent is declined',
  'verification.none-started': 'a code is sent for a field',
  'verification.started-verified': 'the code verifies the field',
  'verification.verified-none': 'a new value or a withdrawal ends the verification',
  'maintenance.writes-paused': 'writes are paused and resumed',
  'maintenance.out-of-order': 'a region is out of order and back',
  'move.copying-done': 'a company moves to another region',
  'move.undone': 'a move is undone before the switch',
  'move.past-undo': 'a move that has switched is not undone',
  'delegate.invited-accepted': 'an invitation is accepted',
  'delegate.invited-expired': 'an invitation ends after seven days',
  'delegate.removed': 'a delegate is removed',
  'second-factor.off-on': 'the second factor is enrolled and confirmed',
  'second-factor.on-off': 'the second factor is switched off',
  'login.reset': 'a portal login from before login secrets is reset by mail',
  'recovery-key.shared-lost': 'a copy of the recovery key is given, and lost with the role',
  'deletion.requested-confirmed': 'the deletion of an account is confirmed by code',
  'deletion.confirmed-cancelled': 'a confirmed deletion is taken back within 14 days',
  'deletion.confirmed-deleted': 'after 14 days the company is deleted',
} as const;

/** Limits that are no constant of the protocol. */
const furtherLimits = {
  'data-clients-per-service': 'one data client for each service',
  'quiet-time': '30 seconds after a denial, doubled within an hour to 10 minutes',
  'not-me-mails': 'one in 10 minutes for a service and a person',
  'sign-in-values': '30 approvals with values in 10 minutes for a person',
  'disowned-sign-ins': 'one entry in 10 minutes for an app and a person',
  'webhook-in-flight': 'one delivery at a time for each webhook',
  'webhook-retry-cycle': 'ten minutes between probes',
  'webhook-url': 'https, port 443, public addresses',
  'phone-digits': '4 to 15 digits',
  'card-digits': '12 to 19 digits with the Luhn digit',
  'decimal-digits': '8 digits before the point and 2 behind it',
  'pump-batch': 'at most 500, 100 unless said otherwise',
  'data-client-level': 'a data client needs a company of level basic or above',
  'messaging-level': 'messages need a company of level pro or above',
  'token-form': '16 KiB',
  'share-fields-per-service': '200',
  'copies-per-edit': '2000',
  'type-validation': 'at most 200 characters',
  'delivery-time': '10 seconds from connecting to the last byte',
  'stale-queue-mails': 'once after an hour, daily from 2 days, hourly from 5 days',
  'failed-sign-ins': '10 for a login from one address in a quarter of an hour',
  'failed-sign-ins-account':
    '30 for a login in a quarter of an hour from addresses that have not signed in to it',
  'unknown-codes': '30 an hour for a company or a person',
  'code-mails-field': '5 an hour',
  'code-mails-address': '10 an hour',
  'code-mails-account': '20 an hour',
  'invitation-mails-address': '5 an hour',
  'invitation-mails-company': '100 an hour',
  'person-storage': '16 MiB, unless configured',
  'company-storage': '512 MiB, unless configured',
  'password-length': 'at least 10 characters, which the device sees to',
  'registration-mails': 'one in 10 minutes for an address',
  'registration-code': '15 minutes and 5 tries, with its own ticket alone',
  'act-proof': '2 minutes, once, for one request of one session',
} as const;

const whitelists = {
  data: dataClientWhitelist,
  account: [...new Set([...accountClientBaseline, ...Object.values(capabilityPatterns).flat()])],
  portal: portalOnlyPatterns,
} as const;

export type RowId =
  | `route:${string} /${string}`
  | `error:${ErrorKey}`
  | `event:${Raised}`
  | `state:${keyof typeof states}`
  | `limit:${keyof typeof limits | keyof typeof furtherLimits}`
  | `rate:${RateLimitClass}`
  | `whitelist:${keyof typeof whitelists} ${string}`;

export interface Row {
  readonly id: RowId;
  /** What it says, where the id does not. */
  readonly text?: string;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Rows that no test can prove from outside, each with the reason. */
export const UNREACHABLE: Readonly<Record<string, string>> = {
  'error:internal': 'a failure of the platform itself; every test fails on one',
  'error:admin.backup_unavailable':
    'PostgreSQL without its programs; backup.test.ts brings it about without a server between',
};

const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>) => Object.keys(record) as Key[];
const described = <Kind extends string, Key extends string>(
  kind: Kind,
  texts: Readonly<Record<Key, string>>,
): { id: `${Kind}:${Key}`; text: string }[] =>
  keysOf(texts).map((key) => ({ id: `${kind}:${key}`, text: texts[key] }));

/** @param routes `METHOD /path/{parameter}` of each route that the OpenAPI document has */
export function sections(routes: readonly string[]): readonly Section[] {
  return [
    {
      title: 'Routes (wire 4)',
      rows: routes.map((route) => ({ id: `route:${route}` as RowId })),
    },
    { title: 'Error keys (wire 7)', rows: keysOf(errorCatalogue).map((key) => ({ id: `error:${key}` })) },
    {
      title: 'Events that the platform raises (wire 6.1 and 6.7)',
      rows: events.map((event) => ({ id: `event:${event}` })),
    },
    { title: 'States and transitions (wire 3 and 5)', rows: described('state', states) },
    {
      title: 'Limits (wire 8)',
      rows: [
        ...keysOf(limits).map((key): Row => ({ id: `limit:${key}`, text: String(limits[key]) })),
        ...described('limit', furtherLimits),
        ...keysOf(defaultRateLimits).map(
          (key): Row => ({ id: `rate:${key}`, text: `${defaultRateLimits[key]} a minute` }),
        ),
      ],
    },
    {
      title: 'What data clients, account clients and only a portal login may call (wire 5.3 and 5.5)',
      rows: keysOf(whitelists).flatMap((kind) =>
        whitelists[kind].map((pattern): Row => ({ id: `whitelist:${kind} ${pattern}` })),
      ),
    },
  ];
}

/** Routes that do what they are for with another status than 2xx: a refusal, or a redirect. */
const OTHERWISE: Readonly<Record<string, number>> = {
  'GET /oauth2/authorize': 302,
  'POST /oauth2/authorize': 302,
  'GET /api/person/lookup/{companyCode}': 400,
  'GET /api/company-connections/lookup/{companyCode}': 400,
};

/** The row of a route that did what it is for, or undefined. */
export function routeRow(method: string, url: string, status: number): RowId | undefined {
  const route = `${method} ${url.replace(/:(\w+)/g, '{$1}')}`;
  return (status >= 200 && status < 300) || OTHERWISE[route] === status
    ? (`route:${route}` as RowId)
    : undefined;
}

/** The folder into which every test process writes what its tests proved; nothing is written when it is not set. */
export const EVIDENCE_VARIABLE = 'SYMBOLON_TEST_EVIDENCE';

/** One line of an evidence file. */
export interface Evidence {
  /** The file, from the root of the project. */
  readonly file: string;
  /** The titles of the suites and of the test. */
  readonly test: string;
  /** Rows that the test names. */
  readonly claims: readonly string[];
  /** Routes that succeeded when they were called for their own sake. That proves nothing yet: a claim does. */
  readonly exercised: readonly string[];
  /** Routes, errors and events that occurred while the test ran. */
  readonly seen: readonly string[];
}
