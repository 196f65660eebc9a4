import type { Principal } from '../../../access/principal.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import type { MessageSender } from '../messages/index.ts';
import { laneOf } from '../messages/index.ts';
import { waitsFor } from './store.ts';

/** Of a lane that is longer, the rest is not waited for. */
const BATCHES_MOST = 40;

interface Deps extends Pick<Core, 'database'> {
  readonly sender: Pick<MessageSender, 'sendBatch'>;
}

/**
 * What somebody did last is known to the region that is to act for them: whoever registers, or makes a field, and connects
 * at once finds themselves known there. What waits to be sent about them is sent first.
 */
export class CatchUp {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} region.unavailable when the region cannot take it in */
  async before(region: string, principal: Principal): Promise<void> {
    const subject =
      'personId' in principal
        ? principal.personId
        : 'companyId' in principal
          ? principal.companyId
          : undefined;
    if (subject === undefined) return;
    const lane = laneOf(subject);
    for (let batches = 0; await waitsFor(this.#deps.database.reader, region, lane, subject); batches++) {
      if (batches === BATCHES_MOST) throw new PlatformError('region.unavailable');
      // Somebody else may send the same at the same time: that nothing was left to be sent by this is no failure.
      const { failed } = await this.#deps.sender.sendBatch(region, lane);
      if (failed !== undefined) throw new PlatformError('region.unavailable');
    }
  }
}
