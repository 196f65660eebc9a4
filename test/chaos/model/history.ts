export type Outcome = 'sent' | 'done' | 'refused' | 'doubt';

/** One attempt to bring a thing into a state. */
export interface Act {
  readonly state: string;
  readonly sentAt: number;
  outcome: Outcome;
}

/** `late`: a call whose client had given it up was carried out after a later one had been acknowledged. */
export type Finding = 'right' | 'late' | 'refused, but done' | 'lost' | 'never sent';

/** What one actor, one act after the other, did to one thing, and with it what the thing may be now. */
export class History {
  readonly acts: Act[] = [];

  constructor(initial?: string) {
    if (initial !== undefined) this.acts.push({ state: initial, sentAt: performance.now(), outcome: 'done' });
  }

  /** Before an act is sent. Its outcome is set when it is known. */
  send(state: string): Act {
    const act: Act = { state, sentAt: performance.now(), outcome: 'sent' };
    this.acts.push(act);
    return act;
  }

  /** The state by what was acknowledged last. */
  get known(): string | undefined {
    return this.acts.findLast(({ outcome }) => outcome === 'done')?.state;
  }

  /** Whether an act since the last acknowledged one may have happened, or may still. */
  get isCertain(): boolean {
    return this.#open().length === 0;
  }

  /** Whether the thing may be in a state now. */
  mayBe(state: string): boolean {
    return state === this.known || this.#open().some((act) => act.state === state);
  }

  get hasDoubt(): boolean {
    return this.acts.some(isOpen);
  }

  judge(actual: string): Finding {
    if (actual === this.known || this.#open().some(({ state }) => state === actual)) return 'right';
    const like = this.acts.filter(({ state }) => state === actual);
    if (like.some(isOpen)) return 'late';
    if (like.some(({ outcome }) => outcome === 'refused')) return 'refused, but done';
    return like.length > 0 ? 'lost' : 'never sent';
  }

  #open(): Act[] {
    const last = this.acts.findLastIndex(({ outcome }) => outcome === 'done');
    return this.acts.slice(last + 1).filter(isOpen);
  }
}

const isOpen = ({ outcome }: Act) => outcome === 'doubt' || outcome === 'sent';
