import type { Card, Decided } from '../../platform/approvals.ts';

/** How a card ended; `elsewhere`: on another device. */
export type Outcome = 'approved' | 'denied' | 'expired' | 'revoked' | 'elsewhere';
export type Shown = { readonly card: Card; readonly outcome: Outcome | undefined };

const idOf = ({ challenge_id }: Card) => challenge_id;

/** Cards that were open here and are no longer. */
export function goneOf(shown: readonly Shown[], cards: readonly Card[]): string[] {
  const open = new Set(cards.map(idOf));
  return shown
    .filter(({ card, outcome }) => outcome === undefined && !open.has(idOf(card)))
    .map(({ card }) => idOf(card));
}

/** The newest card comes first, and those that are shown keep their places. */
export function merge(shown: readonly Shown[], cards: readonly Card[]): Shown[] {
  const known = new Set(shown.map(({ card }) => idOf(card)));
  const fresh = cards.filter((card) => !known.has(idOf(card)));
  return [...fresh.map((card): Shown => ({ card, outcome: undefined })).reverse(), ...shown];
}

export function outcomeOf(status: Decided['status'] | undefined): Outcome {
  if (status === 'expired') return 'expired';
  return status === 'approved' || status === 'denied' ? 'elsewhere' : 'revoked';
}

/** What the page shows. */
export class CardList {
  #shown: readonly Shown[] = [];
  readonly #dismissed = new Set<string>();

  get shown(): readonly Shown[] {
    return this.#shown;
  }

  /** Takes the cards that are open now. @returns the ids of those that are no longer */
  take(cards: readonly Card[]): string[] {
    const gone = goneOf(this.#shown, cards);
    // A listing that was begun before a card was dismissed may still hold it.
    const kept = cards.filter((card) => !this.#dismissed.has(idOf(card)));
    this.#shown = merge(this.#shown, kept);
    return gone;
  }

  decide(id: string, outcome: Outcome): void {
    this.#shown = this.#shown.map((each) => (idOf(each.card) === id ? { ...each, outcome } : each));
  }

  dismiss(id: string): void {
    this.#dismissed.add(id);
    this.#shown = this.#shown.filter(({ card }) => idOf(card) !== id);
  }
}
