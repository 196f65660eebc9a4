import type { OperatorAct } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { actPage, insertAct } from './store.ts';

type Deps = Pick<Core, 'clock' | 'ids'>;

/** The record of everything an operator does to the region; what concerns one company is in that company's log too. */
export class OperatorActs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Records an act in the caller's transaction: it is done and recorded, or neither. `details` never holds a secret.
   * @param entry.act `<thing>.<what happened>`, such as `company.level_changed`
   */
  async record(
    writer: Writer,
    entry: {
      act: string;
      subject?: string;
      details?: Readonly<Record<string, unknown>>;
      /** The address it came from. */
      source: string;
    },
  ): Promise<void> {
    await insertAct(writer, {
      id: this.#deps.ids.uuid(),
      act: entry.act,
      subject: entry.subject ?? null,
      details: JSON.stringify(entry.details ?? {}),
      source: entry.source,
      at: this.#deps.clock.now(),
    });
  }

  /** The newest first. */
  async page(
    reader: Reader,
    page: { limit: number; offset: number },
  ): Promise<{ total: number; items: OperatorAct[] }> {
    const { total, rows } = await actPage(reader, page);
    return {
      total,
      items: rows.map((row) => ({
        id: row.id,
        act: row.act,
        subject: row.subject,
        details: JSON.parse(row.details) as Record<string, unknown>,
        source: row.source,
        at: isoTime(row.at),
      })),
    };
  }
}
