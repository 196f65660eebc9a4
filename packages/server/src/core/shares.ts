interface ShareLimits {
  /** The most one party may hold; 0: no limit. */
  readonly perParty: number;
  /** The most all parties together may hold; 0: no limit. */
  readonly inAll: number;
}

/** Counts what is held of something scarce: by each party, and in all. */
export class Shares {
  readonly #limits: ShareLimits;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Who would hold too much after another `amount`, if anybody. */
  exceeded(party: string, amount = 1): 'party' | 'all' | undefined {
    const { perParty, inAll } = this.#limits;
    if (perParty > 0 && (this.#held.get(party) ?? 0) + amount > perParty) return 'party';
    return inAll > 0 && this.#total + amount > inAll ? 'all' : undefined;
  }

  take(party: string, amount = 1): void {
    this.#held.set(party, (this.#held.get(party) ?? 0) + amount);
    this.#total += amount;
  }

  giveBack(party: string, amount = 1): void {
    const left = (this.#held.get(party) ?? 0) - amount;
    if (left > 0) this.#held.set(party, left);
    else this.#held.delete(party);
    this.#total -= amount;
  }
}
