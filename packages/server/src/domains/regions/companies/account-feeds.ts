import type { Writer } from '../../../db/database.ts';
import type { AccountEvent, AccountFeeds, Outbox } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { RegionMessages } from '../messages/index.ts';
import { laneOf } from '../messages/index.ts';
import type { CompanyCards } from './cards.ts';

const ACCOUNT_EVENT = 'account_event';

interface Deps extends Pick<Core, 'regions'> {
  readonly cards: CompanyCards;
  readonly messages: RegionMessages;
}

/**
 * Account feeds are at the homes of the companies they are for. What a company at home elsewhere is to hear is sent there
 * in the transaction that raised it; should the company have moved on meanwhile, from there to its new home.
 */
export class AccountFeedsElsewhere implements AccountFeeds {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async sendElsewhere(
    writer: Writer,
    events: readonly AccountEvent[],
    at: number,
  ): Promise<readonly AccountEvent[]> {
    const homes = await this.#deps.cards.homesOf(
      writer,
      events.map((raised) => raised.company.id),
    );
    const homed = events.map((raised) => ({
      raised,
      home: homes.get(raised.company.id) ?? this.#deps.regions.own,
    }));
    const there = homed
      .filter(({ home }) => home !== this.#deps.regions.own)
      .map((one) => ({ ...one, lane: laneOf(one.raised.company.id) }))
      // Everybody takes lanes in one order.
      .sort((a, b) => (a.home === b.home ? a.lane - b.lane : a.home < b.home ? -1 : 1));
    for (const { raised, home } of there) {
      const body: AccountEvent = { ...raised, at: raised.at ?? at };
      await this.#deps.messages.send(writer, home, { kind: ACCOUNT_EVENT, subject: raised.company.id, body });
    }
    return homed.filter(({ home }) => home === this.#deps.regions.own).map(({ raised }) => raised);
  }

  /** Takes in what other regions send. */
  receive(outbox: Outbox): void {
    this.#deps.messages.handle(ACCOUNT_EVENT, async (writer, { body }) => {
      const raised = body as AccountEvent;
      const { id } = raised.company;
      // Of a company that was deleted meanwhile there is no feed.
      if ((await this.#deps.cards.homesOf(writer, [id])).has(id)) await outbox.raise(writer, [], [raised]);
    });
  }
}
