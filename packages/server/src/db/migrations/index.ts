import type { Migration } from 'kysely/migration';
import type { Engine } from '../database.ts';
import { companyCustomers } from './0002-company-customers.ts';
import { personHistory } from './0003-person-history.ts';
import { personDrafts } from './0004-person-drafts.ts';
import { webhookAttempts } from './0005-webhook-attempts.ts';
import { regionLanes } from './0006-region-lanes.ts';
import { answeredCalls } from './0007-answered-calls.ts';
import { inbox } from './0008-inbox.ts';
import { writing } from './0009-writing.ts';
import { clientUses } from './0010-client-uses.ts';
import { signInPolicy } from './0011-sign-in-policy.ts';
import { processes } from './0012-processes.ts';
import { webhookPause } from './0013-webhook-pause.ts';
import { signInEpoch } from './0014-sign-in-epoch.ts';
import { requestReason } from './0015-request-reason.ts';
import { recentEvents } from './0016-recent-events.ts';

export interface Step extends Migration {
  /**
   * On PostgreSQL, processes of the version before this migration may go on beside it: it adds what they neither read nor write, counts
   * nothing that they go on changing, and holds no lock for which their calls would wait.
   */
  readonly besideOlder?: boolean;
}

/** What makes the schema, in the order of the names. A migration that was released never changes. */
export const steps: Readonly<Record<string, (engine: Engine) => Step>> = {
  '0001-schema': (engine) => ({
    // Not loaded where it has run already: a start is sooner.
    up: async (db) => (await import('./0001-schema/schema.ts')).createSchema(db, engine),
  }),
  '0002-company-customers': companyCustomers,
  '0003-person-history': () => personHistory,
  '0004-person-drafts': () => personDrafts,
  '0005-webhook-attempts': () => webhookAttempts,
  '0006-region-lanes': () => regionLanes,
  '0007-answered-calls': answeredCalls,
  '0008-inbox': () => inbox,
  '0009-writing': () => writing,
  '0010-client-uses': () => clientUses,
  '0011-sign-in-policy': () => signInPolicy,
  '0012-processes': () => processes,
  '0013-webhook-pause': () => webhookPause,
  '0014-sign-in-epoch': () => signInEpoch,
  '0015-request-reason': () => requestReason,
  '0016-recent-events': () => recentEvents,
};

/** The steps of an engine. */
export function migrations(engine: Engine): Record<string, Step> {
  return Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, step(engine)]));
}

/** The migration that every database has that this version can read. */
const FIRST = '0001-schema';

/** Names of the migrations that this version knows. */
export const knownMigrations = (): readonly string[] => Object.keys(steps);

/**
 * Whether this version can read what some migrations made, all that a database or a backup has.
 * @param beside those of them beside which older versions may work, as the database says
 * @returns 'older' for what was made before release 0.1.0, whose databases no version upgrades
 */
export function readability(
  names: readonly string[],
  known: readonly string[] = knownMigrations(),
  beside: readonly string[] = [],
): 'readable' | 'older' | 'newer' {
  if (names.length > 0 && !names.includes(FIRST)) return 'older';
  return names.every((name) => known.includes(name) || beside.includes(name)) ? 'readable' : 'newer';
}
