import type { PersonSignalKind } from '@symbolon/protocol';
import type { PersonSignal, PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import { personHome } from '../../people/index.ts';
import type { SignalsElsewhere } from '../ports.ts';

const CHANNEL = 'symbolon_person_signals';
/** Signals on their way. What comes beyond is dropped, as pages look by themselves. */
const UNDERWAY_MOST = 1_000;
/** Signals in one notification, which has at most 8,000 bytes on PostgreSQL. */
const TOGETHER_MOST = 50;

/** A signal as processes exchange it: recipient, kind and id. */
type Told = readonly [personId: string, kind: PersonSignalKind, id: string];

type Listener = (personId: string, signal: PersonSignal) => void;

interface Deps extends Pick<Core, 'availability' | 'database' | 'log'> {
  readonly signalsElsewhere: SignalsElsewhere;
}

/** Tells people's devices through the database: their streams may be in any process of the home region. */
export class DevicesSignals implements PersonSignals {
  readonly #deps: Deps;
  readonly #underway = new Set<Promise<void>>();
  readonly #pushes: Listener[] = [];
  #unsubscribe = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param heard called in every process, for each signal about people who are at home here */
  async start(heard: Listener): Promise<void> {
    this.#unsubscribe = await this.#deps.database.subscribe(CHANNEL, (payload) => {
      const told = JSON.parse(payload) as Told | readonly Told[];
      for (const [personId, kind, id] of isOne(told) ? [told] : told) heard(personId, { kind, id });
    });
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await Promise.all(this.#underway);
  }

  /** Called in one process of the home region, for each signal that wakes devices. */
  onPush(listener: Listener): void {
    this.#pushes.push(listener);
  }

  tell(personId: string, signal: PersonSignal, home?: string | null): void {
    this.#keep(() => this.#tell(personId, signal, home));
  }

  tellAll(signals: readonly { personId: string; signal: PersonSignal; home: string | null }[]): void {
    const here = signals.filter(({ home }) => home === null);
    for (let start = 0; start < here.length; start += TOGETHER_MOST) {
      const told = here.slice(start, start + TOGETHER_MOST).map(({ personId, signal }): Told => {
        this.#push(personId, signal);
        return [personId, signal.kind, signal.id];
      });
      this.#keep(() => this.#deps.database.tell(CHANNEL, JSON.stringify(told)));
    }
    for (const { personId, signal, home } of signals) if (home !== null) this.tell(personId, signal, home);
  }

  #keep(tell: () => Promise<void>): void {
    if (this.#underway.size >= UNDERWAY_MOST) return;
    const telling: Promise<void> = tell()
      .catch((error: unknown) => {
        if (this.#deps.availability.explains(error)) return;
        this.#deps.log.warn({ err: error }, 'telling the devices of a person failed');
      })
      .finally(() => this.#underway.delete(telling));
    this.#underway.add(telling);
  }

  /** Tells the devices of a person who is at home here. */
  async tellHere(personId: string, signal: PersonSignal): Promise<void> {
    const { kind, id } = signal;
    this.#push(personId, signal);
    await this.#deps.database.tell(CHANNEL, JSON.stringify([personId, kind, id]));
  }

  #push(personId: string, signal: PersonSignal): void {
    if (signal.push === true) for (const listener of this.#pushes) listener(personId, signal);
  }

  async #tell(personId: string, signal: PersonSignal, home: string | null | undefined): Promise<void> {
    const region = home === undefined ? await this.#homeOf(personId) : home;
    if (region === undefined) return;
    if (region === null) return this.tellHere(personId, signal);
    const again = () => this.#deps.signalsElsewhere.tell(region, personId, signal);
    await again().catch(again);
  }

  async #homeOf(personId: string): Promise<string | null | undefined> {
    const [person] = await personHome(this.#deps.database.reader, personId);
    return person?.region;
  }
}

function isOne(told: Told | readonly Told[]): told is Told {
  return typeof told[0] === 'string';
}
