import type { Database } from '../../../db/database.ts';
import type { Connections } from '../../sharing/connections/connections.ts';
import type { RegionMessages } from '../messages/messages.ts';
import { type CompanyCards, CompanyMessage } from './cards.ts';
import { lockedConnectionsOf } from './store.ts';

/**
 * Companies that were deleted at their home: what they were customers of here ends, and is told to those whose services
 * they were, before their card goes.
 */
export class GoneCompanies {
  readonly #database: Database;
  readonly #cards: CompanyCards;
  readonly #connections: Connections;

  constructor(deps: { database: Database; cards: CompanyCards; connections: Connections }) {
    this.#database = deps.database;
    this.#cards = deps.cards;
    this.#connections = deps.connections;
  }

  /** Takes in what other regions send. */
  receive(messages: RegionMessages): void {
    messages.handle(CompanyMessage.gone, async (writer, { subject }) => {
      // Of a company that is at home here nobody else can say that it is gone.
      if ((await this.#cards.ofHome(writer, subject)) !== undefined) return;
      const ending = await lockedConnectionsOf(this.#database.engine, writer, subject);
      await this.#connections.endEach(writer, ending);
      await this.#cards.drop(writer, subject);
    });
  }
}
