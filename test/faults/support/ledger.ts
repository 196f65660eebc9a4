/** What an act is about: the events it raises are found by it. */
export type ActKind = 'connected' | 'left' | 'field' | 'consent';

/** One act of a person that one service is to hear of, reported by one event. */
export interface Act {
  readonly key: string;
  readonly kind: ActKind;
  /** The name of the event under which it is queued: what a webhook's subscription goes by. */
  readonly event: string;
  readonly service: string;
  /** Counts sendings and acknowledgements of all acts: the moment before it was first sent. */
  readonly sent: number;
  /** The moment after it was known to have happened; infinite while that is not known. */
  known: number;
  /** How often it was sent: each may have happened. */
  attempts: number;
  /** What its event may carry as the value. */
  readonly values: Set<string>;
}

/** Remembers what people did, and what of it the platform acknowledged: what must arrive, what may, and what before what. */
export class Ledger {
  readonly #acts = new Map<string, Act>();
  #moment = 0;

  /** Before an act is sent, again for each attempt. */
  sending(
    about: { service: string; kind: ActKind; event: string; person: string; slug?: string },
    value?: string,
  ): Act {
    const key = keyOf(about.service, about.kind, about.person, about.slug);
    let act = this.#acts.get(key);
    if (act === undefined) {
      act = {
        key,
        kind: about.kind,
        event: about.event,
        service: about.service,
        sent: ++this.#moment,
        known: Number.POSITIVE_INFINITY,
        attempts: 0,
        values: new Set(),
      };
      this.#acts.set(key, act);
    }
    act.attempts++;
    if (value !== undefined) act.values.add(value);
    return act;
  }

  /** It is known to have happened. */
  known(...acts: readonly Act[]): void {
    const moment = ++this.#moment;
    for (const act of acts) act.known = Math.min(act.known, moment);
  }

  find(key: string): Act | undefined {
    return this.#acts.get(key);
  }

  get acts(): readonly Act[] {
    return [...this.#acts.values()];
  }
}

export function keyOf(service: string, kind: ActKind, person: string, slug = ''): string {
  return [service, kind, person, slug].join('|');
}
