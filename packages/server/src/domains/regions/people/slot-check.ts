import type { Regions } from '../../../core/regions.ts';
import type { Core } from '../../domain.ts';
import type { Peers } from '../directory/index.ts';
import { deleteRemoteSlot, type KnownRemoteSlot, remoteSlotsBetween } from './store.ts';

/** Whoever registers a slot makes it, or gives it back, in much less. */
const SETTLED_MS = 10 * 60_000;
/** When a process starts, it looks back so far; what is older was looked at by those before it. */
const LOOK_BACK_MS = 24 * 60 * 60_000;
const PAGE = 500;

/** A registration that another region is asked about. */
export type AskedSlot = Pick<
  KnownRemoteSlot,
  'registration' | 'company_id' | 'connection_id' | 'request_field_id'
>;

interface Deps extends Pick<Core, 'clock' | 'database' | 'log'> {
  readonly regions: Pick<Regions, 'others'>;
  readonly peers: Pick<Peers, 'ask'>;
}

/**
 * At the home of a person: asks other regions whether they made the slots that they registered, once for each. A region that
 * died in between never gives them back, and the person would be asked for copies that go nowhere, for ever.
 */
export class SlotCheck {
  readonly #deps: Deps;
  #checkedThrough: number | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Gives how many were struck off. */
  async run(stopping: AbortSignal): Promise<number> {
    const { peers } = this.#deps;
    const until = this.#deps.clock.now() - SETTLED_MS;
    const since = this.#checkedThrough ?? until - LOOK_BACK_MS;
    let struckOff = 0;
    try {
      for (let after = ''; !stopping.aborted; ) {
        const page = await remoteSlotsBetween(this.#deps.database.reader, {
          since,
          until,
          after,
          most: PAGE,
        });
        for (const [region, ofRegion] of Map.groupBy(page, (slot) => slot.region)) {
          struckOff += await this.#check(peers, region, ofRegion);
        }
        const last = page.at(-1);
        if (last === undefined) {
          this.#checkedThrough = until;
          break;
        }
        after = last.registration;
      }
    } catch (error) {
      // They are asked again, all of them, next time.
      this.#deps.log.warn({ err: error }, 'registered slots could not be checked');
    }
    return struckOff;
  }

  async #check(peers: Pick<Peers, 'ask'>, region: string | null, slots: readonly KnownRemoteSlot[]) {
    // Of a company that is not known here, or just comes here, nobody can be asked.
    if (region === null || !this.#deps.regions.others.includes(region)) return 0;
    const asked = slots.map(
      ({ registration, company_id, connection_id, request_field_id }): AskedSlot => ({
        registration,
        company_id,
        connection_id,
        request_field_id,
      }),
    );
    const { missing } = await peers.ask<{ missing: string[] }>(
      { region },
      { method: 'POST', path: '/internal/people/slots/missing', body: { slots: asked } },
    );
    const gone = new Set(missing);
    const rows = slots.filter((slot) => gone.has(slot.registration));
    if (rows.length === 0) return 0;
    this.#deps.log.warn(
      { region, slots: rows.length },
      'slots were registered and never made; they are struck off',
    );
    await this.#deps.database.write(async (writer) => {
      for (const row of rows) await deleteRemoteSlot(writer, row.person_id, row.registration);
    });
    return rows.length;
  }
}
