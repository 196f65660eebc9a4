import type { Reader, Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { CompanyRow } from '../../identity/index.ts';
import { companyHomes } from '../../identity/index.ts';
import type { RegionMessages } from '../messages/index.ts';
import { deleteRemoteSlotsOfCompany } from '../people/index.ts';
import {
  type CardRow,
  cardVersionOf,
  deleteCard,
  homeByCode,
  homeCard,
  homeCardsAfter,
  insertCard,
  nextCard,
  updateCard,
} from './store.ts';

/** What every region knows of a company: enough to name it, to find it and to seal to it. */
export interface CompanyCard extends Omit<CardRow, 'region'> {
  /** Where it is at home. */
  readonly region: string;
}

/** The card of a company as this region has it. */
export function cardOf(row: CardRow, ownRegion: string): CompanyCard {
  const { id, name, code, account_public_key, account_public_key_sha256, level, created_at, card_version } =
    row;
  return {
    id,
    region: row.region ?? ownRegion,
    card_version,
    name,
    code,
    account_public_key,
    account_public_key_sha256,
    level,
    created_at,
  };
}

const CARD = 'company_card';
const GONE = 'company_gone';
export const CompanyMessage = { card: CARD, gone: GONE } as const;

interface Deps extends Pick<Core, 'database' | 'regions'> {
  readonly messages: RegionMessages;
}

/**
 * The cards of companies: each home tells the other regions of its companies, and keeps a row of `companies` for each of
 * theirs. Of two cards of one company the higher version counts, whichever came first.
 */
export class CompanyCards {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.messages.handle(CARD, (writer, { body }) => this.take(writer, body as CompanyCard));
  }

  /** Tells the others how a company of this region now is, in the transaction that made it so. */
  async announce(writer: Writer, companyId: string): Promise<void> {
    const row = await nextCard(writer, companyId);
    if (row === undefined) return;
    await this.#deps.messages.sendToAll(writer, {
      kind: CARD,
      subject: companyId,
      body: cardOf(row, this.#deps.regions.own),
    });
  }

  /** Tells the others that a company of this region is deleted, in the transaction that deletes its row. */
  async announceGone(writer: Writer, companyId: string): Promise<void> {
    await this.#deps.messages.sendToAll(writer, { kind: GONE, subject: companyId, body: {} });
  }

  /**
   * Tells one region of the companies after an id; gives the last of them, undefined when there was none left. For a region
   * that was added after they registered.
   */
  async introduce(writer: Writer, region: string, after: string, most: number): Promise<string | undefined> {
    const rows = await homeCardsAfter(writer, after, most);
    for (const row of rows) {
      const body = cardOf(row, this.#deps.regions.own);
      await this.#deps.messages.send(writer, region, { kind: CARD, subject: row.id, body });
    }
    return rows.at(-1)?.id;
  }

  /** The card of a company at home here; undefined for any other. */
  async ofHome(reader: Reader, companyId: string): Promise<CompanyCard | undefined> {
    const row = await homeCard(reader, companyId);
    return row && cardOf(row, this.#deps.regions.own);
  }

  /** The home of the company with a code, as far as it is known here. */
  async homeByCode(code: string): Promise<string | undefined> {
    const [row] = await homeByCode(this.#deps.database.reader, code);
    return row === undefined ? undefined : (row.region ?? this.#deps.regions.own);
  }

  /** Where companies are at home; those that are not known here are missing. */
  async homesOf(reader: Reader, companyIds: readonly string[]): Promise<Map<string, string>> {
    const homes = await companyHomes(this.#deps.database.engine, reader, companyIds);
    return new Map([...homes].map(([id, region]) => [id, region ?? this.#deps.regions.own]));
  }

  /** Takes in a card. A company that is at home here is known better here than anywhere. */
  async take(writer: Writer, card: CompanyCard): Promise<void> {
    const known = await cardVersionOf(writer, card.id);
    if (known !== undefined && (known.region === null || known.card_version >= card.card_version)) return;
    // What moves here becomes a company by the move itself.
    if (card.region === this.#deps.regions.own) return;
    if (known === undefined) await insertCard(writer, rowOf(card));
    else await updateCard(writer, rowOf(card));
  }

  /** Part of taking in that a company is gone. */
  async drop(writer: Writer, companyId: string): Promise<void> {
    await deleteRemoteSlotsOfCompany(writer, companyId);
    await deleteCard(writer, companyId);
  }
}

/** A card holds no secret and nobody signs in with it; its address is unique, as a row's must be, and none. */
function rowOf(card: CompanyCard): CompanyRow {
  return {
    ...card,
    email: card.id,
    account_private_key: '',
    recovery_public_key: '',
    recovery_private_key: '',
  };
}
