import type { Core } from '../../domain.ts';
import { insertKey, keyById } from './store.ts';
import { newVapidKeys } from './vapid-token.ts';

/** The one row. */
const ID = 'vapid';

/** Base64url: an uncompressed point on P-256, and its number. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const placeOf = (id: string) => ({ table: 'push_keys', column: 'private_key', id }) as const;

type Deps = Pick<Core, 'clock' | 'database' | 'secrets'>;

/** The key pair of this region for push services. It is made once: browsers subscribe for it, and no other can send to them. */
export class Vapid {
  readonly #deps: Deps;
  #keys: Promise<VapidKeys> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} db.writes_paused when they cannot be stored */
  keys(): Promise<VapidKeys> {
    this.#keys ??= this.#load().catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }

  async #load(): Promise<VapidKeys> {
    const { clock, database, secrets } = this.#deps;
    const stored = async () => {
      const row = await keyById(database.reader, ID);
      if (row === undefined) return undefined;
      const privateKey = secrets.decrypt(row.private_key, placeOf(ID)).toString('base64url');
      return { publicKey: row.public_key, privateKey };
    };
    const known = await stored();
    if (known !== undefined) return known;
    const { publicKey, privateKey } = newVapidKeys();
    const row = {
      id: ID,
      public_key: publicKey,
      private_key: secrets.encrypt(Buffer.from(privateKey, 'base64url'), placeOf(ID)),
      created_at: clock.now(),
    };
    await database.write((writer) => insertKey(writer, row));
    // Another process may have been faster.
    return (await stored()) ?? { publicKey, privateKey };
  }
}
