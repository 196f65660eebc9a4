import { type EventTicket, limits } from '@symbolon/protocol';
import type { AccessClaims } from '../../../access/access-token.ts';
import { isoTime } from '../../../core/clock.ts';
import { lookUp } from '../../../core/secrets.ts';
import type { Core } from '../../domain.ts';
import { insertTicket, keepNewestTickets, takeTicket } from './store.ts';

const RANDOM_BYTES = 32;
const TICKET = /^spt_[a-z0-9-]{1,32}_[\w-]{43}$/;

type Deps = Pick<Core, 'clock' | 'database' | 'ids' | 'regions' | 'secrets'>;

/**
 * Tickets for the event stream. A browser's `EventSource` sends no header, and an access token in an address would stand in
 * the logs of proxies: a ticket is good once, for a minute, and opens nothing but the stream.
 */
export class EventTickets {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** A ticket that stands for an access token. It names its region, so that a front door knows where it leads. */
  async issue(claims: AccessClaims): Promise<EventTicket> {
    const { clock, database, ids, regions, secrets } = this.#deps;
    const ticket = `spt_${regions.own}_${ids.token(RANDOM_BYTES)}`;
    const expires = clock.now() + limits.eventTicketSeconds * 1000;
    const row = {
      ticket_hash: secrets.hash(ticket),
      person_id: claims.sub,
      claims: JSON.stringify(claims),
      expires_at: expires,
    };
    await database.write(async (writer) => {
      await insertTicket(writer, row);
      await keepNewestTickets(writer, claims.sub, limits.eventStreamsMost);
    });
    return { ticket, expires_at: isoTime(expires) };
  }

  /** Uses a ticket up. @returns what its access token said; undefined when it is not good */
  async take(ticket: string): Promise<AccessClaims | undefined> {
    const { clock, database, secrets } = this.#deps;
    if (!TICKET.test(ticket)) return undefined;
    const row = await database.write((writer) =>
      lookUp(secrets.hashes(ticket), (hash) => takeTicket(writer, hash)),
    );
    if (row === undefined || row.expires_at <= clock.now()) return undefined;
    return JSON.parse(row.claims) as AccessClaims;
  }
}
