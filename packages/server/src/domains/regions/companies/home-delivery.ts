import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { laneOf, type MessageQueue } from '../messages/message-queue.ts';
import type { CompanyReplicas } from './company-replicas.ts';

interface Deps<T> extends Pick<Core, 'regions'> {
  readonly companyReplicas: CompanyReplicas;
  readonly messages: MessageQueue;
  /** The kind of the messages. */
  readonly kind: string;
  readonly companyOf: (item: T) => string;
}

/**
 * Brings items of a company to the company's home: account feeds and audit logs are stored there, whichever region the
 * company acted in. The items are sent in the transaction of the act, so neither is ever stored without the other.
 */
export class HomeDelivery<T> {
  readonly #deps: Deps<T>;

  constructor(deps: Deps<T>) {
    this.#deps = deps;
  }

  /** Sends the items of companies of other regions. @returns the other items, to be stored here */
  async send(writer: Writer, items: readonly T[]): Promise<readonly T[]> {
    const { companyReplicas, messages, regions, kind, companyOf } = this.#deps;
    const homes = await companyReplicas.homesOf(writer, items.map(companyOf));
    const homeOf = (item: T) => homes.get(companyOf(item)) ?? regions.own;
    const away = items
      .map((item) => ({ item, home: homeOf(item), lane: laneOf(companyOf(item)) }))
      .filter(({ home }) => home !== regions.own)
      // Every transaction locks lanes in this order, so that no two of them deadlock.
      .sort((a, b) => (a.home === b.home ? a.lane - b.lane : a.home < b.home ? -1 : 1));
    for (const { item, home } of away) {
      await messages.send(writer, home, { kind, subject: companyOf(item), body: item });
    }
    return items.filter((item) => homeOf(item) === regions.own);
  }

  /** Stores what other regions send. `store` sends it on when the company has moved since. */
  receive(store: (writer: Writer, item: T) => Promise<void>): void {
    this.#deps.messages.handle(this.#deps.kind, async (writer, { body }) => {
      const item = body as T;
      const id = this.#deps.companyOf(item);
      // A company that was deleted since has no feed and no log.
      if ((await this.#deps.companyReplicas.homesOf(writer, [id])).has(id)) await store(writer, item);
    });
  }
}
