/**
 * Why a database cannot do its work for now: its disk is full, it takes no writes, its disk fails, its content is damaged, it is away, or
 * what is asked for is held by others for too long. Nothing was written. The same call may succeed later, of a damaged database
 * once a backup is restored.
 */
export type OutageKind = 'full' | 'read_only' | 'io' | 'damaged' | 'away' | 'busy';

/** Said of a call that waited too long for a connection of this process, while others had them all. */
export const NO_FREE_CONNECTION = 'every connection to the database is in use';

/** What the pool says when it got none at all, and what is said of a request that could wait no longer. */
export const NO_CONNECTION_IN_TIME = 'timeout exceeded when trying to connect';

/** The errors of both engines that say so. Any other error is a mistake of the platform. */
export function outageOf(error: unknown): OutageKind | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number') return SQLITE.get(errcode & 0xff);
  if (typeof code !== 'string') return SAID.get(error.message);
  if (NETWORK.has(code) || code.startsWith('08')) return 'away';
  return FILE_SYSTEM.get(code) ?? POSTGRES.get(code);
}

/** Whether it is not known what became of a statement that ended with this error: it was sent, and not answered. */
export function isInDoubt(error: unknown): boolean {
  return outageOf(error) === 'away' && !UNSENT.includes((error as Error).message);
}

/** Whether a named statement gives another result than it used to: a newer version added a column to its table. It did nothing. */
export function isOutdatedPlan(error: unknown): boolean {
  return error instanceof Error && error.message === 'cached plan must not change result type';
}

/** Whether a statement's name is not there, or is there already: a pooler lends connections and does not follow names. It did nothing. */
export function isOtherName(error: unknown): boolean {
  return OTHER_NAMES.has((error as { code?: string }).code ?? '');
}
const OTHER_NAMES: ReadonlySet<string> = new Set(['26000', '42P05']);

/** Whether a PostgreSQL says that it is a replica now, or that it goes. */
export function leadsNoMore(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && (LEADS_NO_MORE.has(code) || code.startsWith('08'));
}

const LEADS_NO_MORE: ReadonlySet<string> = new Set(['25006', '57P01', '57P02', '57P03']);

/** SQLite's code for a database whose pages do not fit together. */
export const SQLITE_CORRUPT = 11;

/** Primary result codes of SQLite. */
const SQLITE: ReadonlyMap<number, OutageKind> = new Map([
  [5, 'busy'],
  [6, 'busy'],
  [8, 'read_only'],
  [10, 'io'],
  [SQLITE_CORRUPT, 'damaged'],
  [13, 'full'],
  [14, 'io'], // it cannot open its log
  [26, 'damaged'], // the first page does not say that it is a database
]);

/** Of files beside the embedded database. */
const FILE_SYSTEM: ReadonlyMap<string, OutageKind> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'read_only'],
  ['EIO', 'io'],
]);

/** SQLSTATEs. */
const POSTGRES: ReadonlyMap<string, OutageKind> = new Map([
  ['25006', 'read_only'],
  ['53100', 'full'],
  ['25P03', 'busy'], // idle_in_transaction_session_timeout
  ['25P04', 'busy'], // transaction_timeout
  ['40001', 'busy'], // in conflict with others, again and again
  ['40P01', 'busy'], // deadlocks, again and again
  ['53200', 'away'], // no memory
  ['53300', 'away'], // no free connection
  ['53400', 'away'],
  ['55P03', 'busy'], // lock_timeout
  ['57014', 'busy'], // statement_timeout
  ['57P01', 'away'], // it shuts down
  ['57P02', 'away'],
  ['57P03', 'away'], // it starts
  ['57P05', 'away'], // idle_session_timeout
  ['58030', 'io'],
  ['XX001', 'damaged'], // data_corrupted
  ['XX002', 'damaged'], // index_corrupted
]);

/** Of the connection to a PostgreSQL. Other connections of the platform have errors of their own. */
const NETWORK: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** What the driver says of a statement that it did not send: the connection had ended. */
const UNSENT = [
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
];

/** What the driver says without a code. */
const SAID: ReadonlyMap<string, OutageKind> = new Map<string, OutageKind>([
  ...UNSENT.map((text) => [text, 'away'] as const),
  ['Connection terminated', 'away'],
  ['Connection terminated due to connection timeout', 'away'],
  ['Connection terminated unexpectedly', 'away'],
  ['Query read timeout', 'away'],
  [NO_CONNECTION_IN_TIME, 'away'],
  [NO_FREE_CONNECTION, 'busy'],
]);

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const SQLITE_TAKEN: ReadonlySet<number | undefined> = new Set([1555, 2067]);

/** Whether a row was refused because another one has what only one may have. */
export function isTaken(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return code === '23505' || SQLITE_TAKEN.has(errcode);
}
