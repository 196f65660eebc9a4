import type { PublicKey, ServicePublicKey } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import { findService } from '../services/store.ts';
import { accountKeys, codeSubject, personKeys } from './store.ts';

/** Ids as the platform makes them; nothing else can be known. */
const ID = /^[0-9a-f-]{36}$/;

type Deps = Pick<Core, 'database'>;

/** Public keys of people, companies and services (wire 4.4). Codes are taken in any case and given in upper case. */
export class Keys {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * The key of a person, or the account key of a company. Any code of a person is taken; the answer has the generated one.
   * @throws {PlatformError} keys.not_found
   */
  async byShareCode(typed: string): Promise<PublicKey> {
    const { engine, reader } = this.#deps.database;
    const [subject] = await codeSubject(reader, typed.toUpperCase());
    if (subject === undefined) throw new PlatformError('keys.not_found');
    const keysOf = subject.kind === 'person' ? personKeys : accountKeys;
    const [key] = await keysOf(engine, reader, [subject.subject_id]);
    if (key === undefined) throw new PlatformError('keys.not_found');
    return {
      share_code: key.share_code,
      public_key: key.public_key,
      public_key_sha256: key.public_key_sha256,
    };
  }

  /** @throws {PlatformError} keys.not_found */
  async ofService(company: string, service: string): Promise<ServicePublicKey> {
    const found = await findService(this.#deps.database.reader, company.toUpperCase(), service.toUpperCase());
    if (found === undefined) throw new PlatformError('keys.not_found');
    return {
      share_code: found.share_code,
      public_key: found.public_key,
      public_key_sha256: found.public_key_sha256,
      company_code: found.company_code,
      service_code: found.share_code,
    };
  }

  /** Keys by the ids of people and companies; unknown ids are missing. */
  async batch(ids: readonly string[]): Promise<Record<string, string>> {
    const known = [...new Set(ids)].filter((id) => ID.test(id));
    if (known.length === 0) return {};
    const { engine, reader } = this.#deps.database;
    const [people, companies] = await Promise.all([
      personKeys(engine, reader, known),
      accountKeys(engine, reader, known),
    ]);
    const found = new Map([...people, ...companies].map((row) => [row.id, row.public_key]));
    // In the order asked.
    return Object.fromEntries(
      known.flatMap((id) => {
        const key = found.get(id);
        return key === undefined ? [] : [[id, key]];
      }),
    );
  }
}
