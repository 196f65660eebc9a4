import { grantFor, type TestApp } from '@symbolon/testkit/actors/sign-ins';
import { systemClock } from '../../packages/server/src/core/clock.ts';
import { createIds } from '../../packages/server/src/core/ids.ts';
import { KeyRing } from '../../packages/server/src/core/key-ring.ts';
import { createSecrets } from '../../packages/server/src/core/secrets.ts';
import type { Database } from '../../packages/server/src/db/database.ts';
import { openDatabase } from '../../packages/server/src/db/open.ts';
import { Codes } from '../../packages/server/src/domains/approval/tokens/codes.ts';

/** Writes approvals of sign-ins into the database of a platform that runs, as its consent page does. */
export class SignInCodes implements AsyncDisposable {
  readonly #database: Database;
  readonly #codes: Codes;

  private constructor(database: Database, dataDir: string) {
    this.#database = database;
    const secrets = createSecrets(new KeyRing(undefined, dataDir));
    this.#codes = new Codes({ clock: systemClock, ids: createIds(systemClock), secrets });
  }

  static async open(dataDir: string): Promise<SignInCodes> {
    return new SignInCodes(await openDatabase({ databaseUrl: undefined, dataDir }), dataDir);
  }

  mint(app: TestApp, count: number, codeChallenge: string): Promise<string[]> {
    return this.#database.write(async (writer) => {
      const made: string[] = [];
      while (made.length < count) {
        const nonce = `nonce-${made.length}`;
        made.push(await this.#codes.mint(writer, grantFor(app, { codeChallenge, nonce })));
      }
      return made;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#database.stop();
  }
}
