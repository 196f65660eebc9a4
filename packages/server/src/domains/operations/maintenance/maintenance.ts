import type { MaintenanceView } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Database, Writer } from '../../../db/database.ts';
import { writesPaused } from '../../../db/paused-writes.ts';
import type { Core } from '../../domain.ts';
import { type MaintenanceState, refuses } from './refusals.ts';

interface Setting {
  readonly since: number;
  readonly reason: string | null;
}

const SETTING: Readonly<Record<MaintenanceState, string>> = {
  writes_paused: 'maintenance.writes_paused',
  out_of_order: 'maintenance.out_of_order',
};

/** Seconds after which a call refused by `platform.out_of_order` may be repeated (wire 7). */
const RETRY_AFTER = '300';

type Deps = Pick<Core, 'clock' | 'settings'>;

/**
 * Whether the region accepts writes, and whether it answers at all (wire 7). The state is in the database: every process
 * follows it, and it survives restarts. Calls that were let in before are finished; background work waits.
 */
export class Maintenance {
  readonly #deps: Deps;
  #state: MaintenanceState | undefined;
  #waiting: { resolve: () => void; promise: Promise<void> } | undefined;
  readonly #onResume: (() => void)[] = [];
  readonly #onPause: (() => void)[] = [];
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#deps.settings.onChange(() => this.#read());
  }

  /** The current state; undefined in normal operation. */
  get state(): MaintenanceState | undefined {
    return this.#state;
  }

  /** Whether background work (deliveries, sweeps) must wait. */
  get workPaused(): boolean {
    return this.#state !== undefined && !this.#stopped;
  }

  /**
   * Why a call is refused: db.writes_paused or platform.out_of_order, with Retry-After; undefined when it is let in. It
   * runs for every call, and reads one field in normal operation.
   */
  refusal(method: string, route: string): PlatformError | undefined {
    const state = this.#state;
    return state !== undefined && refuses(state, method, route) ? refusalOf(state) : undefined;
  }

  /**
   * Out of order, only the client_credentials grant keeps working (wire 7).
   * @throws {PlatformError} platform.out_of_order
   */
  admitGrant(grantType: string | undefined): void {
    if (this.#state === 'out_of_order' && grantType !== 'client_credentials') throw refusalOf(this.#state);
  }

  /** Resolves as soon as background work may write. */
  async untilResumed(): Promise<void> {
    while (this.workPaused) {
      this.#waiting ??= Promise.withResolvers<void>();
      await this.#waiting.promise;
    }
  }

  /** Has functions called when background work is paused and when it resumes. */
  watch(onPause: () => void, onResume: () => void): void {
    this.#onPause.push(onPause);
    this.#onResume.push(onResume);
  }

  view(): MaintenanceView {
    const of = (state: MaintenanceState) => {
      const setting = this.#deps.settings.get<Setting>(SETTING[state]);
      return setting === undefined ? null : { since: isoTime(setting.since), reason: setting.reason };
    };
    return { writes_paused: of('writes_paused'), out_of_order: of('out_of_order') };
  }

  /** Switches a state in the caller's transaction; when it is already on, `since` stays. */
  async set(writer: Writer, state: MaintenanceState, on: boolean, reason: string | null): Promise<void> {
    const before = this.#deps.settings.get<Setting>(SETTING[state]);
    const since = before?.since ?? this.#deps.clock.now();
    await this.#deps.settings.set(
      writer,
      SETTING[state],
      on ? ({ since, reason } satisfies Setting) : undefined,
    );
  }

  /** Call it after the commit of `set`: this process follows the state when it resolves, the others within a second. */
  async apply(): Promise<void> {
    await this.#deps.settings.reload();
  }

  /** The process ends: what has been delivered is still saved, so that it is not delivered again. */
  stop(): void {
    this.#stopped = true;
    this.#release();
  }

  #read(): void {
    const before = this.#state;
    this.#state =
      this.#deps.settings.get(SETTING.out_of_order) !== undefined
        ? 'out_of_order'
        : this.#deps.settings.get(SETTING.writes_paused) !== undefined
          ? 'writes_paused'
          : undefined;
    if (before === undefined && this.#state !== undefined) for (const paused of this.#onPause) paused();
    if (before !== undefined && this.#state === undefined) {
      this.#release();
      for (const resumed of this.#onResume) resumed();
    }
  }

  #release(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}

/** The database for background work: its writes wait while saving is paused. */
export function pausedDatabase(database: Database, maintenance: Maintenance): Database {
  return {
    ...database,
    async write(work) {
      await maintenance.untilResumed();
      return database.write(work);
    },
  };
}

function refusalOf(state: MaintenanceState): PlatformError {
  return state === 'writes_paused'
    ? writesPaused()
    : new PlatformError('platform.out_of_order', { headers: { 'retry-after': RETRY_AFTER } });
}
