import { UnconfirmedKeyError } from '../http/errors.ts';

/** Whose what is was that a client has shown, by its id: what its user chose by that. */
export class ShownOwners {
  readonly #owners = new Map<string, string>();

  show(id: string, owner: string): void {
    this.#owners.set(id, owner);
  }

  /**
   * @returns whether it was shown
   * @throws UnconfirmedKeyError `sdk.owner_changed` when it is of another owner now
   */
  check(id: string, owner: string, kind: 'connect_request' | 'consent'): boolean {
    const shown = this.#owners.get(id);
    if (shown === undefined || shown === owner) return shown !== undefined;
    throw new UnconfirmedKeyError({
      errorKey: 'sdk.owner_changed',
      message:
        'Nothing was sealed: the platform names another owner of this request than it did when it was shown. Look at it again before you answer it.',
      details: { [`${kind}_id`]: id, confirmed: [shown], added: [owner] },
    });
  }
}
