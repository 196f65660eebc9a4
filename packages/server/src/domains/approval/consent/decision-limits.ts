import { counted, isLeft, type Limiter } from '../../../access/limit-store.ts';
import type { Core } from '../../domain.ts';

const WINDOW_S = 10 * 60;
/** Approvals with values in a window: what an app may read is kept for an hour, up to 1 MiB of each. */
const VALUES_MOST = 30;

/** What one person may have stored by decisions. They are without bounds while openings of the consent page are. */
export class DecisionLimits {
  readonly #values: Limiter | undefined;
  readonly #disowned: Limiter | undefined;

  constructor({ config, limitStore }: Pick<Core, 'config' | 'limitStore'>) {
    if (config.rateLimits.consent === 0) return;
    const limiter = (keyPrefix: string, points: number) =>
      limitStore.limiter({ keyPrefix, points, duration: WINDOW_S });
    this.#values = limiter('sign-in-values', VALUES_MOST);
    this.#disowned = limiter('disowned', 1);
  }

  /** Counts an approval that gives an app values. @throws {PlatformError} rate_limit.exceeded, rate_limit.unavailable */
  async countValues(personId: string): Promise<void> {
    if (this.#values !== undefined) await counted(this.#values.consume(personId));
  }

  /** Whether a company's audit log says that a person disowned a sign-in at its app: one person must not fill its audit log. */
  async mayTell(personId: string, clientId: string): Promise<boolean> {
    // An unavailable counter keeps no entry out of the log.
    return (
      this.#disowned === undefined ||
      isLeft(this.#disowned.consume(`${clientId} ${personId}`)).catch(() => true)
    );
  }
}
