import { regionMark } from '../../../access/routed-token.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { lookUp } from '../../../core/secrets.ts';
import type { Core } from '../../domain.ts';
import type { AccountKind, AccountRow } from './account.ts';
import { insertTicket, tryTicket } from './store.ts';

/** Between the login secret and the code of a sign-in. */
const TICKET_MS = 5 * 60 * 1000;
const TICKET_ATTEMPTS = 5;

export type Transport = 'token' | 'cookie';

type Deps = Pick<Core, 'clock' | 'database' | 'ids' | 'regions' | 'secrets'>;

/** Sign-ins whose login secret was right and whose second factor is awaited. */
export class SignInTickets<Row extends AccountRow> {
  readonly #deps: Deps;
  readonly #kind: AccountKind<Row>;

  constructor(deps: Deps, kind: AccountKind<Row>) {
    this.#deps = deps;
    this.#kind = kind;
  }

  /** The refusal that asks for the second factor; it carries a ticket. */
  async refusal(row: Row, transport: Transport = 'token'): Promise<PlatformError> {
    const ticket = `${regionMark(this.#deps.regions)}${this.#deps.ids.token(32)}`;
    const expiresAt = this.#deps.clock.now() + TICKET_MS;
    const columns = {
      token_hash: this.#deps.secrets.hash(ticket),
      transport,
      attempts: 0,
      expires_at: expiresAt,
    };
    await this.#deps.database.write((writer) =>
      insertTicket(writer, this.#kind, this.#kind.refOf(row), columns),
    );
    return new PlatformError('auth.two_factor_required', {
      details: { ticket, ticket_expires_at: isoTime(expiresAt) },
    });
  }

  /**
   * The account of a ticket. It becomes invalid after 5 tries; who signs in with it deletes it.
   * @throws {PlatformError} auth.ticket_invalid
   */
  async use(ticket: string): Promise<{ account: Row; transport: Transport; hash: string }> {
    const hashes = this.#deps.secrets.hashes(ticket);
    const now = this.#deps.clock.now();
    const found = await this.#deps.database.write((writer) =>
      lookUp(hashes, (hash) => tryTicket(writer, this.#kind, hash, now, TICKET_ATTEMPTS)),
    );
    if (found === undefined) throw new PlatformError('auth.ticket_invalid');
    const ref = this.#kind.ownerIn(found as unknown as Readonly<Record<string, string>>);
    const account = await this.#kind.find(this.#deps.database.reader, ref);
    if (account === undefined) throw new PlatformError('auth.ticket_invalid');
    return { account, transport: found.transport, hash: found.token_hash };
  }
}
