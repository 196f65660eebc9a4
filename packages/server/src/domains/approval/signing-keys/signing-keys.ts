import { createPrivateKey, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { limits, type SigningKeyView } from '@symbolon/protocol';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { isoTime } from '../../../core/clock.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { appThatWants, deleteEndedKeys, endOlderKeys, insertSigningKey, signingKeyRows } from './store.ts';
import type { SigningKeyRow } from './tables.ts';

export type SigningAlgorithm = SigningKeyRow['algorithm'];

/** A new key is published so long before it signs: longer than anybody keeps the list. */
const PUBLISHED_BEFORE_MS = 60 * 60_000;
/** Its tokens live so long, and clocks differ. */
const AFTER_LAST_TOKEN_MS = limits.accessTokenSeconds * 1000 + 10 * 60_000;
/** How old a process's copy of the keys may be. */
const COPY_MS = 10_000;

const RSA_BITS = 2048;

const ALGORITHMS: readonly SigningAlgorithm[] = ['RS256', 'EdDSA'];

type Deps = Pick<Core, 'clock' | 'database' | 'secrets'>;

interface Rotation {
  readonly compromised: boolean;
  readonly alongside?: ((writer: Writer, kid: string) => Promise<void>) | undefined;
}

/** A key that signs, and the header of its tokens. */
interface Signer {
  readonly key: KeyObject;
  /** Of the JWT, encoded. */
  readonly header: string;
  readonly digest: string | null;
}

const generate = promisify(generateKeyPair);
const signedInThread = promisify(sign);

/** The keys by which apps check id_tokens: made here, stored encrypted, replaced in turn, published as a JWKS (RFC 7517). */
export class SigningKeys {
  readonly #deps: Deps;
  readonly #signers = new Map<string, Signer>();
  #copy: { readonly rows: readonly SigningKeyRow[]; readonly at: number } | undefined;
  readonly #making = new Map<SigningAlgorithm, Promise<boolean>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * A signed JWT (RFC 7519, RFC 7515). An RSA signature takes 0.3 ms and is made in a thread; one of Ed25519 takes 30 µs, half of
   * what the way to a thread and back takes with it.
   * @throws {PlatformError} db.writes_paused when there is no key yet and none can be saved
   */
  async sign(algorithm: SigningAlgorithm, claims: Readonly<Record<string, unknown>>): Promise<string> {
    const { key, header, digest } = this.#signerOf(await this.#current(algorithm));
    const text = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    const bytes = Buffer.from(text);
    const signature =
      algorithm === 'EdDSA'
        ? sign(digest, bytes, key)
        : ((await signedInThread(digest, bytes, key)) as Buffer);
    return `${text}.${signature.toString('base64url')}`;
  }

  /** The public keys: of tokens that have not expired, and of those to come. */
  async published(): Promise<JWK[]> {
    const now = this.#deps.clock.now();
    return (await this.#rows())
      .filter(({ published_until: until }) => until === null || until > now)
      .map((row) => JSON.parse(row.public_jwk) as JWK);
  }

  /** All that are stored, the newest of each algorithm first. */
  async list(): Promise<SigningKeyView[]> {
    return (await this.#read()).map((row) => ({
      kid: row.id,
      algorithm: row.algorithm,
      created_at: isoTime(row.created_at),
      signs_from: isoTime(row.signs_from),
      published_until: row.published_until === null ? null : isoTime(row.published_until),
    }));
  }

  /**
   * Makes the next key of each algorithm that has one.
   * @param compromised the older ones may be stolen: the new ones sign at once, the older ones are published no more
   * @param alongside work in the transaction that stores a key
   */
  async rotate({ compromised, alongside }: Rotation): Promise<void> {
    const options = { signsAtOnce: compromised, compromised, alongside };
    for (const algorithm of new Set((await this.#read()).map((row) => row.algorithm))) {
      // Another process may have made this generation meanwhile. It ended no older key at once, so there is one more.
      while (!(await this.#make(algorithm, this.#newestOf(algorithm) + 1, options)));
    }
  }

  /**
   * Makes the first key of an algorithm as soon as there is an app that wants it, so that it is published before a token is
   * asked for, and the next one where the newest is older than `mostMs` (0: never). Deletes those that are no longer published.
   */
  async maintain(mostMs: number): Promise<void> {
    const { clock, database } = this.#deps;
    const now = clock.now();
    const rows = await this.#read();
    for (const algorithm of ALGORITHMS) {
      const newest = rows.find((row) => row.algorithm === algorithm);
      if (newest === undefined) {
        if ((await appThatWants(database.reader, algorithm)).length > 0) await this.#current(algorithm);
      } else if (mostMs > 0 && newest.created_at + mostMs <= now) {
        await this.#make(algorithm, newest.generation + 1);
      }
    }
    if (rows.some(({ published_until: until }) => until !== null && until <= now)) {
      await database.write((writer) => deleteEndedKeys(writer, now));
    }
  }

  /** The newest that signs already; makes the first one. */
  async #current(algorithm: SigningAlgorithm): Promise<SigningKeyRow> {
    const found = this.#signing(await this.#rows(), algorithm);
    if (found !== undefined) return found;
    let making = this.#making.get(algorithm);
    if (making === undefined) {
      making = this.#make(algorithm, 1, { signsAtOnce: true }).finally(() => this.#making.delete(algorithm));
      this.#making.set(algorithm, making);
    }
    await making;
    const made = this.#signing(await this.#read(), algorithm);
    if (made === undefined) throw new Error(`There is no key for ${algorithm}.`);
    return made;
  }

  /** The newest generation as of the last read. */
  #newestOf(algorithm: SigningAlgorithm): number {
    return this.#copy?.rows.find((row) => row.algorithm === algorithm)?.generation ?? 0;
  }

  #signing(rows: readonly SigningKeyRow[], algorithm: SigningAlgorithm): SigningKeyRow | undefined {
    const now = this.#deps.clock.now();
    return rows.find((row) => row.algorithm === algorithm && row.signs_from <= now);
  }

  async #rows(): Promise<readonly SigningKeyRow[]> {
    const { at = Number.NEGATIVE_INFINITY, rows = [] } = this.#copy ?? {};
    return this.#deps.clock.now() - at < COPY_MS ? rows : this.#read();
  }

  async #read(): Promise<readonly SigningKeyRow[]> {
    const at = this.#deps.clock.now();
    const rows = await signingKeyRows(this.#deps.database.vital);
    this.#copy = { rows, at };
    for (const kid of this.#signers.keys()) if (!rows.some(({ id }) => id === kid)) this.#signers.delete(kid);
    return rows;
  }

  /** False when another process made this generation. */
  async #make(
    algorithm: SigningAlgorithm,
    generation: number,
    {
      signsAtOnce = false,
      compromised = false,
      alongside,
    }: Partial<Rotation> & { signsAtOnce?: boolean } = {},
  ): Promise<boolean> {
    const { clock, database, secrets } = this.#deps;
    const { publicKey, privateKey } =
      algorithm === 'RS256'
        ? await generate('rsa', { modulusLength: RSA_BITS })
        : await generate('ed25519', undefined);
    const jwk = publicKey.export({ format: 'jwk' }) as JWK;
    const id = await calculateJwkThumbprint(jwk);
    const now = clock.now();
    const signsFrom = signsAtOnce ? now : now + PUBLISHED_BEFORE_MS;
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    const row: SigningKeyRow = {
      id,
      algorithm,
      generation,
      public_jwk: JSON.stringify({ ...jwk, kid: id, alg: algorithm, use: 'sig' }),
      private_key: secrets.encrypt(der, { table: 'signing_keys', column: 'private_key', id }),
      created_at: now,
      signs_from: signsFrom,
      published_until: null,
    };
    der.fill(0);
    const isMade = await database.write(async (writer) => {
      if (!(await insertSigningKey(writer, row))) return false;
      await endOlderKeys(writer, row, compromised ? now : signsFrom + AFTER_LAST_TOKEN_MS);
      await alongside?.(writer, row.id);
      return true;
    });
    await this.#read();
    return isMade;
  }

  #signerOf({ id, algorithm, private_key }: SigningKeyRow): Signer {
    const known = this.#signers.get(id);
    if (known !== undefined) return known;
    const der = this.#deps.secrets.decrypt(private_key, { table: 'signing_keys', column: 'private_key', id });
    const header = JSON.stringify({ alg: algorithm, typ: 'JWT', kid: id });
    const signer: Signer = {
      key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
      header: Buffer.from(header).toString('base64url'),
      digest: algorithm === 'RS256' ? 'sha256' : null,
    };
    der.fill(0);
    this.#signers.set(id, signer);
    return signer;
  }
}
