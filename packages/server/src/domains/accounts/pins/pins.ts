import type { Pins as PinsBody, PutPinsRequest } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import { type LoginRef, loginPins, personPins, putLoginPins, putPersonPins } from './store.ts';

type Deps = Pick<Core, 'database'>;

/** Before anything was stored. */
const NONE: PinsBody = { counter: 0, iv: null, data: null };

/**
 * The fingerprints of keys that an account has confirmed, as one list that the platform cannot open. The counter grows, so
 * that of two devices that change the list at once one is refused and must read it again.
 */
export class Pins {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async ofPerson(personId: string): Promise<PinsBody> {
    return (await personPins(this.#deps.database.reader, personId)) ?? NONE;
  }

  /** @throws {PlatformError} people.pins_outdated */
  async putOfPerson(personId: string, { counter, iv, data }: PutPinsRequest): Promise<void> {
    const isNewer = await this.#deps.database.write((writer) =>
      putPersonPins(writer, personId, { counter, iv, data }),
    );
    if (!isNewer) throw new PlatformError('people.pins_outdated');
  }

  async ofLogin(login: LoginRef): Promise<PinsBody> {
    return (await loginPins(this.#deps.database.reader, login)) ?? NONE;
  }

  /** @throws {PlatformError} people.pins_outdated */
  async putOfLogin(login: LoginRef, { counter, iv, data }: PutPinsRequest): Promise<void> {
    const isNewer = await this.#deps.database.write((writer) =>
      putLoginPins(writer, login, { counter, iv, data }),
    );
    if (!isNewer) throw new PlatformError('people.pins_outdated');
  }
}
