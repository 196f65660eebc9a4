import { fingerprint, fingerprintWords, sealValue, type Wrapper } from '@symbolon/crypto';
import type { PersonConnection } from '@symbolon/protocol';
import type { Api } from '../http/api.ts';
import { NotFoundError } from '../http/errors.ts';
import type { ChangedKey, ConfirmedKeys } from '../known-keys/confirmed-keys.ts';
import { liveSlots, usableSlots } from './edit-field.ts';

/** A slot whose service has a key that is not confirmed. */
export type WithheldSlot = {
  connectionId: string;
  serviceId: string;
  slug: string;
  /** Of the key that the platform names now. */
  fingerprint: string;
  words: string;
};

/** The key of a sign-in app, as the platform names it. */
export type AppKey = { client_id: string; public_key: string };

type Deps = { api: Api; confirmed: ConfirmedKeys; connections: () => Promise<PersonConnection[]> };

/**
 * The keys that a person's values are sealed to: `keys` of a person client. A key is remembered when the person connects to its
 * service, or answers its site, and nothing is sealed to another one before the person has confirmed it.
 */
export class PersonKeys {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The services this person is connected to whose key is not confirmed. Show them with their words. */
  async unconfirmed(): Promise<ChangedKey[]> {
    const services = (await this.#deps.connections()).map(({ service }) => service);
    const named = new Map(services.map(({ id, public_key }) => [`${id} ${public_key}`, { id, public_key }]));
    return this.#deps.confirmed.unconfirmed(
      [...named.values()].map(({ id, public_key }) => ({ kind: 'service', id, publicKey: public_key })),
    );
  }

  /**
   * The slots of a field that get no new values, because the service has another key than before, or was never answered on a
   * device. Show them, and have the person compare the words with the company; after {@link confirm}, `sendWithheld` of the
   * client sends the present value.
   */
  async withheldSlots(fieldId: string): Promise<WithheldSlot[]> {
    const slots = await liveSlots(this.#deps.api, fieldId);
    const withheld = slots.map(async (slot) => {
      const [isUsable] = await usableSlots(this.#deps.confirmed, [slot]);
      if (isUsable) return [];
      const { connection_id: connectionId, service_id: serviceId, slug } = slot;
      const sha256 = await fingerprint(slot.service_public_key);
      const words = await fingerprintWords(sha256);
      return [{ connectionId, serviceId, slug, fingerprint: sha256, words }];
    });
    return (await Promise.all(withheld)).flat();
  }

  /**
   * Confirms the key that a service has changed to, after it was compared with the company over another channel. From then on
   * values are sealed to it.
   *
   * @param compared the four words, or the fingerprint as 64 hexadecimal digits
   * @throws NotFoundError `sdk.key_unknown` when the service has another key, or there is no connection to it
   */
  async confirm(serviceId: string, compared: string): Promise<void> {
    const found = (await this.#deps.connections()).find(({ service }) => service.id === serviceId);
    if (!found) {
      const message = 'There is no connection to such a service. Nothing was confirmed.';
      throw new NotFoundError({ errorKey: 'sdk.key_unknown', message });
    }
    const { id, public_key } = found.service;
    await this.#deps.confirmed.confirm({ kind: 'service', id, publicKey: public_key }, compared);
  }

  /**
   * Seals a value to the key of a sign-in app. The key is remembered at its first use.
   *
   * @throws UnconfirmedKeyError `sdk.app_key_changed`, with `fingerprint` and `words` in its details
   */
  async sealToApp(app: AppKey, plaintext: string): Promise<Wrapper> {
    await this.#deps.confirmed.assertConfirmed({ kind: 'app', id: app.client_id, publicKey: app.public_key });
    return sealValue(plaintext, app.public_key);
  }

  /** As {@link confirm}, for the key of a sign-in app. @throws NotFoundError `sdk.key_unknown` */
  confirmApp(app: AppKey, compared: string): Promise<void> {
    const key = { kind: 'app', id: app.client_id, publicKey: app.public_key } as const;
    return this.#deps.confirmed.confirm(key, compared);
  }
}
