import type { ErrorKey } from '@symbolon/protocol';
import { counted, isLeft, type Limiter, type Marks } from '../../../access/limit-store.ts';
import { PlatformError } from '../../../core/errors.ts';
import { FairTurns } from '../../../core/fair-turns.ts';
import type { Core } from '../../domain.ts';
import { knowEachOther } from './store.ts';

/** A code that is looked up. */
export interface SoughtCode {
  /** The id of the company or person that looks. */
  readonly seeker: string;
  /** Of a person or a company. */
  readonly code: string;
  /** Of a service of that company. */
  readonly serviceCode?: string;
}

const HOUR_S = 60 * 60;
/** Codes that were found are remembered; one that is forgotten counts again as a first look-up. */
const SEEN_S = 30 * 24 * HOUR_S;
const SEEN_MOST = 100_000;
/** First look-ups of one seeker go on a few at a time, so that a burst finds out no more codes than a sequence. */
const TURNS = { perParty: 4, inAll: 1_000, waitingMost: 1_000 } as const;

/**
 * Limits how many unknown codes a company or a person may try in an hour: share codes are short. Above it every
 * code is answered as unknown, except codes that were found before and codes of existing connections.
 */
export class CodeLookups {
  readonly #deps: Pick<Core, 'database'>;
  readonly #unknown: Limiter | undefined;
  readonly #seen: Marks;
  readonly #turns = new FairTurns(TURNS);

  constructor(deps: Pick<Core, 'database' | 'config' | 'limitStore'>) {
    this.#deps = deps;
    const { unknownCodesAnHour: points } = deps.config;
    const store = deps.limitStore;
    if (points > 0) this.#unknown = store.limiter({ keyPrefix: 'unknown-codes', points, duration: HOUR_S });
    this.#seen = store.marks({ keyPrefix: 'seen-codes', seconds: SEEN_S, most: SEEN_MOST });
  }

  /**
   * Looks a code up.
   * @param missing the error when it is unknown
   * @param work answers for the code
   * @param isMissing whether the answer says that it is unknown
   * @throws {PlatformError} `missing` above the limit, rate_limit.exceeded when too many look-ups of the seeker wait,
   *   rate_limit.unavailable, and what `work` throws
   */
  async look<T>(sought: SoughtCode, missing: ErrorKey, work: () => Promise<T>, isMissing: () => boolean) {
    if (this.#unknown === undefined) return work();
    const key = [sought.seeker, sought.code, sought.serviceCode].join(' ');
    if (await counted(this.#seen.has(key))) return work();
    const unknown = this.#unknown;
    return this.#turns.run(sought.seeker, async () => {
      // Counted before the look-up, given back when the code exists.
      if (
        !(await isLeft(unknown.consume(sought.seeker))) &&
        !(await knowEachOther(this.#deps.database.reader, sought))
      )
        throw new PlatformError(missing);
      let found = false;
      try {
        const answer = await work();
        found = !isMissing();
        return answer;
      } catch (error) {
        // A refusal that is about the caller shows that the code exists; a failure of the platform shows nothing.
        found = error instanceof PlatformError && error.status < 500 && error.status !== 404;
        throw error;
      } finally {
        // A store that fails now leaves one look-up counted.
        if (found) await Promise.all([unknown.reward(sought.seeker), this.#seen.add(key)]).catch(() => {});
      }
    });
  }
}
