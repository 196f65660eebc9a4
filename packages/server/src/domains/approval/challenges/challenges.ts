import { randomInt } from 'node:crypto';
import {
  type Challenge,
  type ChallengeRequest,
  limits,
  type TwoFactorCard,
  type TwoFactorStatus,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { clearsIn, PlatformError } from '../../../core/errors.ts';
import { lock, type Writer } from '../../../db/database.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Presence } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import { quietFor } from '../enrolments/quiet-time.ts';
import {
  type AskedChallenge,
  askedById,
  askedOf,
  type Enrolled,
  enrolledByCode,
  insertChallenge,
  pendingOf,
  repeatOf,
} from './store.ts';
import type { ChallengeRow } from './tables.ts';

/** The service that asks. */
export interface AskingService {
  readonly companyId: string;
  readonly serviceId: string;
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly personSignals: PersonSignals;
  readonly presence: Presence;
}

/** Services ask enrolled people to approve, and people see what they are asked (wire 2.7, 3.1). */
export class Challenges {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Asks a person. The same call again, within the lifetime, gives the same challenge.
   * @throws {PlatformError} twofa.not_enrolled, twofa.pending_cap
   */
  async create({ serviceId }: AskingService, request: ChallengeRequest): Promise<Challenge> {
    const { database, personSignals } = this.#deps;
    const code = request.share_code.trim().toUpperCase();
    const [found] = await enrolledByCode(database.reader, code, serviceId);
    if (found === undefined) throw new PlatformError('twofa.not_enrolled');
    const { challenge, isNew } = await database.write(async (writer) => {
      await lock(database.engine, writer, 'persons', [found.person_id]);
      // The enrolment may have been revoked or muted since.
      const [enrolled] = await enrolledByCode(writer, code, serviceId);
      if (enrolled?.person_id !== found.person_id) throw new PlatformError('twofa.not_enrolled');
      return this.#createFor(writer, serviceId, enrolled, request);
    });
    if (isNew) {
      const signal = { kind: 'two_factor_challenge', id: challenge.id, push: true } as const;
      personSignals.tell(found.person_id, signal, found.region);
    }
    return {
      challenge_id: challenge.id,
      status: 'pending',
      expires_at: isoTime(challenge.expires_at),
      ...(challenge.digits === null ? {} : { matching_digits: challenge.digits }),
    };
  }

  async #createFor(writer: Writer, serviceId: string, enrolled: Enrolled, request: ChallengeRequest) {
    const now = this.#deps.clock.now();
    const { person_id: personId } = enrolled;
    // Before any limit: the client repeats a call whose answer it did not get.
    const [before] = await repeatOf(writer, serviceId, personId, request.idempotency_key, now);
    if (before !== undefined) return { challenge: before, isNew: false };
    const pending = await pendingOf(writer, personId, now);
    const quietMs = quietFor(enrolled, now);
    if (quietMs > 0) throw deniedLately(quietMs);
    const ofService = pending.filter((row) => row.service_id === serviceId);
    if (enrolled.muted === 1 || isFull(pending, ofService))
      throw new PlatformError('twofa.pending_cap', { details: whenOver(ofService, now) });
    const challenge: ChallengeRow = {
      company_id: enrolled.company_id,
      id: this.#deps.ids.uuid(),
      service_id: serviceId,
      person_id: personId,
      idempotency_key: request.idempotency_key,
      context: request.context?.trim() ? request.context : null,
      digits: enrolled.number_matching === 1 ? newDigits(pending.map(({ digits }) => digits)) : null,
      wrong_digits: 0,
      status: 'pending',
      created_at: now,
      expires_at: now + limits.challengeLifetimeMs,
      completed_at: null,
      approved_by: null,
      spent_at: null,
      delivered: 0,
      claim_owner: null,
      claimed_until: null,
    };
    await insertChallenge(writer, challenge);
    return { challenge, isNew: true };
  }

  /** What a person is asked now, oldest first. */
  async cards(personId: string): Promise<{ challenges: TwoFactorCard[] }> {
    const { clock, database } = this.#deps;
    const rows = await askedOf(database.reader, personId, clock.now());
    return { challenges: await Promise.all(rows.map((row) => this.#withPresence(row))) };
  }

  /** @throws {PlatformError} twofa.not_found */
  async card(personId: string, id: string): Promise<TwoFactorCard> {
    const { clock, database } = this.#deps;
    const [row] = await askedById(database.reader, personId, id);
    if (row === undefined) throw new PlatformError('twofa.not_found');
    return statusOf(row, clock.now()) === 'pending' ? this.#withPresence(row) : toCard(row, clock.now());
  }

  /** A card with what a page needs in order to ask for the proof. */
  async #withPresence(row: AskedChallenge): Promise<TwoFactorCard> {
    const { clock, presence } = this.#deps;
    const account = { kind: 'person', personId: row.person_id } as const;
    const options = await presence.options(account, approvalOf(row.id));
    // The login secret alone would be refused.
    const methods = options.methods.filter((method) => row.require_2fa === 0 || method !== 'password');
    return { ...toCard(row, clock.now()), presence: { ...options, methods } };
  }
}

/** The act that a proof of presence for an approval is made for. */
export const approvalOf = (id: string) => `approve challenge ${id}`;

/**
 * The key, and no Retry-After, are those of a full place: clients in the field end the login on this key, and wait for
 * minutes on any other 429. Members beside it say what clears with time.
 */
const deniedLately = (quietMs: number) =>
  new PlatformError('twofa.pending_cap', {
    text: 'This person denied a moment ago. Ask again after the seconds in retry_after, or offer another way in.',
    details: { reason: 'quiet_time', ...clearsIn(quietMs) },
  });

/** Whether a person may not be asked once more. One place is left to services that do not wait for the person yet. */
function isFull(pending: readonly unknown[], ofService: readonly unknown[]): boolean {
  const most = ofService.length === 0 ? limits.pendingOfPersonMost : limits.pendingOfPersonMost - 1;
  return ofService.length >= limits.pendingOfServiceMost || pending.length >= most;
}

/**
 * When the service's own oldest challenge is over. Without one nothing is said: a service neither learns when others asked, nor that it
 * is muted, which ends what it asked.
 */
const whenOver = (ofService: readonly Pick<ChallengeRow, 'expires_at'>[], now: number) =>
  ofService.length > 0 ? clearsIn(Math.min(...ofService.map((row) => row.expires_at)) - now) : {};

/** Two digits that no other challenge of the person has at the moment: those of one never approve another. */
function newDigits(taken: readonly (string | null)[]): string {
  for (;;) {
    const digits = String(randomInt(100)).padStart(2, '0');
    if (!taken.includes(digits)) return digits;
  }
}

/** The state of a challenge as of now. */
export function statusOf(
  { status, expires_at }: Pick<ChallengeRow, 'status' | 'expires_at'>,
  now: number,
): TwoFactorStatus {
  return status === 'pending' && expires_at <= now ? 'expired' : status;
}

/** What could break a line of the card or turn the direction of the text around it. */
const UNSHOWN = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu;

function toCard(row: AskedChallenge, now: number): TwoFactorCard {
  return {
    challenge_id: row.id,
    status: statusOf(row, now),
    service: { id: row.service_id, name: row.service_name, share_code: row.service_code },
    company: { user_id: row.company_id, display_name: row.company_name, company_code: row.company_code },
    context: row.context?.replace(UNSHOWN, ' ') ?? null,
    number_matching: needsDigits(row),
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
  };
}

/** Whether approving takes digits: also when the service has switched number matching on since. */
export function needsDigits(row: Pick<AskedChallenge, 'digits' | 'number_matching'>): boolean {
  return row.digits !== null || row.number_matching === 1;
}
