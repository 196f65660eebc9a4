import type { Regions } from '../../../core/regions.ts';
import type { Core } from '../../domain.ts';
import type { Peers } from '../directory/peers.ts';
import { deleteRemoteSlot, type KnownRemoteSlot, remoteSlotsBetween } from './store.ts';

/** A region makes a registered slot, or withdraws it, in much less than 10 minutes. */
const SETTLED_MS = 10 * 60_000;
/** A process that starts checks the registrations of 24 hours; earlier processes have checked the older ones. */
const LOOK_BACK_MS = 24 * 60 * 60_000;
const PAGE = 500;

/** A registration about which another region is asked. */
export type AskedSlot = Pick<
  KnownRemoteSlot,
  'registration' | 'company_id' | 'connection_id' | 'request_field_id'
>;

interface Deps extends Pick<Core, 'clock' | 'database' | 'log'> {
  readonly regions: Pick<Regions, 'others'>;
  readonly peers: Pick<Peers, 'ask'>;
}

/**
 * At the home of a person: asks other regions once whether they made the slots that they registered. A region that crashed
 * in between never withdraws them, and the person's client would be asked for useless copies for ever.
 */
export class SlotCheck {
  readonly #deps: Deps;
  #checkedThrough: number | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @returns how many registrations were removed */
  async run(stopping: AbortSignal): Promise<number> {
    const until = this.#deps.clock.now() - SETTLED_MS;
    const since = this.#checkedThrough ?? until - LOOK_BACK_MS;
    let removed = 0;
    try {
      for (let after = ''; !stopping.aborted; ) {
        const page = await remoteSlotsBetween(this.#deps.database.reader, {
          since,
          until,
          after,
          most: PAGE,
        });
        for (const [region, ofRegion] of Map.groupBy(page, (slot) => slot.region)) {
          removed += await this.#check(region, ofRegion);
        }
        const last = page.at(-1);
        if (last === undefined) {
          this.#checkedThrough = until;
          break;
        }
        after = last.registration;
      }
    } catch (error) {
      // The next run asks about all of them again.
      this.#deps.log.warn(
        { err: error },
        'slot registrations could not be checked: the next sweep tries again',
      );
    }
    return removed;
  }

  async #check(region: string | null, slots: readonly KnownRemoteSlot[]) {
    // Without a known home there is no region to ask.
    if (region === null || !this.#deps.regions.others.includes(region)) return 0;
    const asked = slots.map(
      ({ registration, company_id, connection_id, request_field_id }): AskedSlot => ({
        registration,
        company_id,
        connection_id,
        request_field_id,
      }),
    );
    const { missing } = await this.#deps.peers.ask<{ missing: string[] }>(
      { region },
      { method: 'POST', path: '/internal/people/slots/missing', body: { slots: asked } },
    );
    const gone = new Set(missing);
    const rows = slots.filter((slot) => gone.has(slot.registration));
    if (rows.length === 0) return 0;
    this.#deps.log.warn(
      { region, slots: rows.length },
      'slot registrations removed: their slots were never made',
    );
    await this.#deps.database.write(async (writer) => {
      for (const row of rows) await deleteRemoteSlot(writer, row.person_id, row.registration);
    });
    return rows.length;
  }
}
