import type { Core } from '../../domain.ts';
import type { Connections } from '../../sharing/index.ts';
import type { RegionMessages } from '../messages/index.ts';
import { type CompanyCards, CompanyMessage } from './cards.ts';
import { lockedConnectionsOf } from './store.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly cards: CompanyCards;
  readonly connections: Connections;
}

/**
 * Companies that were deleted at their home: what they were customers of here ends, and is told to those whose services
 * they were, before their card goes.
 */
export class GoneCompanies {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Takes in what other regions send. */
  receive(messages: RegionMessages): void {
    messages.handle(CompanyMessage.gone, async (writer, { subject }) => {
      // Of a company that is at home here nobody else can say that it is gone.
      if ((await this.#deps.cards.ofHome(writer, subject)) !== undefined) return;
      const ending = await lockedConnectionsOf(this.#deps.database.engine, writer, subject);
      await this.#deps.connections.end(writer, ending);
      await this.#deps.cards.drop(writer, subject);
    });
  }
}
