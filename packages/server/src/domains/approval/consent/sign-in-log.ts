import type { SignIn } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import type { Codes } from '../tokens/codes.ts';
import { type ListedSignIn, revokeSignIns, signInById, signInsOf } from './store.ts';

/** Sign-ins that a person is shown, of one region. */
const SHOWN = 200;

interface Deps extends Pick<Core, 'database'> {
  readonly codes: Codes;
}

/** What a person answered to apps: they read it, and end what came of it. */
export class SignIns {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async list(personId: string): Promise<SignIn[]> {
    return (await signInsOf(this.#deps.database.reader, personId, SHOWN)).map(toSignIn);
  }

  /**
   * Ends what the app of a sign-in can still read of the person: all codes and tokens that this person gave it.
   * @throws {PlatformError} oauth.sign_in_not_found
   */
  async revoke(personId: string, id: string): Promise<void> {
    await this.#deps.database.write(async (writer) => {
      const row = await signInById(writer, personId, id);
      if (row === undefined) throw new PlatformError('oauth.sign_in_not_found');
      const of = { companyId: row.company_id, clientId: row.client_id, personId };
      await this.#deps.codes.revoke(writer, of);
      await revokeSignIns(writer, of);
    });
  }
}

function toSignIn(row: ListedSignIn): SignIn {
  return {
    sign_in_id: row.id,
    app: { client_id: row.client_id, name: row.app_name },
    company: {
      company_user_id: row.company_id,
      display_name: row.company_name,
      company_code: row.company_code,
    },
    mode: row.mode,
    outcome: row.outcome,
    claims: JSON.parse(row.claims) as string[],
    two_factor: row.two_factor === 1,
    detached: row.detached === 1,
    at: isoTime(row.at),
  };
}
