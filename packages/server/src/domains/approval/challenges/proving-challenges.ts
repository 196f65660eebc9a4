import { limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { provingChallenge, spendChallenge } from './store.ts';
import type { ChallengeRow } from './tables.ts';

/** A challenge in the place of a proof of presence, and the act that it is to prove. */
export interface ChallengedAct {
  /** The service that the act is about, which raised the challenge. */
  readonly companyId: string;
  readonly serviceId: string;
  /** Who acts. */
  readonly personId: string;
  readonly challengeId: string;
  /** As a proof of presence names it. The context that the person read ends with it. */
  readonly act: string;
}

/** By these the person who approved was present. The login secret alone proves no act, nor does a recovery code. */
const PRESENT: ReadonlySet<ChallengeRow['approved_by']> = new Set(['passkey', 'totp', 'mailed_code']);

/** Approved challenges as proofs of acts on documents (wire 11.3): fresh, each for one act, used once. */
export class ProvingChallenges {
  readonly #deps: Pick<Core, 'clock' | 'database'>;

  constructor(deps: Pick<Core, 'clock' | 'database'>) {
    this.#deps = deps;
  }

  /** Refuses a challenge that does not prove the act. @throws {PlatformError} documents.challenge_invalid */
  async check(challenged: ChallengedAct, reader: Reader = this.#deps.database.reader): Promise<void> {
    const { companyId, serviceId, personId, challengeId, act } = challenged;
    const [row] = await provingChallenge(reader, companyId, serviceId, personId, challengeId);
    const proves =
      row !== undefined &&
      row.status === 'approved' &&
      row.spent_at === null &&
      PRESENT.has(row.approved_by) &&
      row.context?.endsWith(act) === true &&
      row.completed_at !== null &&
      this.#deps.clock.now() < row.completed_at + limits.challengeLifetimeMs;
    if (!proves) throw new PlatformError('documents.challenge_invalid');
  }

  /** Uses a challenge up, in the transaction of its act. @throws {PlatformError} documents.challenge_invalid */
  async spend(writer: Writer, challenged: ChallengedAct): Promise<void> {
    await this.check(challenged, writer);
    const { companyId, challengeId } = challenged;
    const spent = await spendChallenge(writer, companyId, challengeId, this.#deps.clock.now());
    if (spent.length === 0) throw new PlatformError('documents.challenge_invalid');
  }
}
