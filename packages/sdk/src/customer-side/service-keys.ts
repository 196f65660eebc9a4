import { fingerprint, fingerprintWords } from '@symbolon/crypto';
import { UnconfirmedKeyError } from '../http/errors.ts';
import { checkServiceKey } from '../values/service-key.ts';

/** Fingerprints of confirmed keys by name, wherever they are kept. */
export type KeyList = {
  all: () => Promise<Readonly<Record<string, string>>>;
  /** Reads them again: they may have been changed elsewhere. */
  refresh: () => Promise<Readonly<Record<string, string>>>;
  /** Keeps keys at their first use, and tells all that are confirmed. */
  remember: (keys: Readonly<Record<string, string>>) => Promise<Readonly<Record<string, string>>>;
  confirm: (keys: Readonly<Record<string, string>>) => Promise<void>;
};

/** A service's key as the platform names it. */
export type NamedKey = { serviceId: string; publicKey: string };

/**
 * The keys of the services that a customer seals to. A key is remembered at its first use; a changed one is used only after it
 * was confirmed.
 */
export class ServiceKeys {
  readonly #pins: KeyList;
  /** Changed keys that were refused here. */
  readonly #refused = new Map<string, NamedKey>();

  constructor(pins: KeyList) {
    this.#pins = pins;
  }

  /** The services whose key may be used. Keys of services that are new are remembered first. */
  async usable(keys: readonly NamedKey[]): Promise<Set<string>> {
    const found = new Map<string, string>();
    for (const { serviceId, publicKey } of keys) {
      const sha256 = await fingerprint(publicKey);
      found.set(serviceId, sha256);
    }
    const named = [...found].map(([serviceId, sha256]) => [nameOf(serviceId), sha256] as const);
    let confirmed = keys.length === 0 ? {} : await this.#pins.remember(Object.fromEntries(named));
    // Another device may have confirmed it since this one read the list.
    const isKnown = named.every(([name, sha256]) => confirmed[name] === sha256);
    if (!isKnown) confirmed = await this.#pins.refresh();
    const isUsable = (serviceId: string) => confirmed[nameOf(serviceId)] === found.get(serviceId);
    for (const key of keys) if (!isUsable(key.serviceId)) this.#refused.set(key.serviceId, key);
    return new Set([...found.keys()].filter(isUsable));
  }

  /**
   * Call it before answers are sealed to a service.
   *
   * @throws TransportError `sdk.key_mismatch`; UnconfirmedKeyError `sdk.service_key_changed`
   */
  async requireFor(
    answers: Readonly<Record<string, object>>,
    service: { id: string; public_key: string; public_key_sha256: string },
  ): Promise<void> {
    if (Object.values(answers).every((answer) => 'remove' in answer)) return;
    await checkServiceKey(service);
    await this.#require({ serviceId: service.id, publicKey: service.public_key });
  }

  async #require(key: NamedKey): Promise<void> {
    if ((await this.usable([key])).has(key.serviceId)) return;
    const sha256 = await fingerprint(key.publicKey);
    throw new UnconfirmedKeyError({
      errorKey: 'sdk.service_key_changed',
      message:
        'Nothing was sealed: the service has another key than before. Compare its words with the company, then confirm the key.',
      details: {
        service_id: key.serviceId,
        fingerprint: sha256,
        words: await fingerprintWords(sha256),
        confirmed: (await this.#pins.all())[nameOf(key.serviceId)] ?? null,
      },
    });
  }

  /**
   * Confirms the key with this fingerprint, for the services that have it.
   *
   * @param named keys that the platform names now, beside those that were refused here
   * @returns how many services have it
   */
  async confirm(sha256: string, named: readonly NamedKey[]): Promise<number> {
    const confirmed: Record<string, string> = {};
    for (const { serviceId, publicKey } of [...this.#refused.values(), ...named]) {
      if ((await fingerprint(publicKey)) === sha256) confirmed[nameOf(serviceId)] = sha256;
    }
    await this.#pins.confirm(confirmed);
    return Object.keys(confirmed).length;
  }
}

function nameOf(serviceId: string): string {
  return `service ${serviceId}`;
}
