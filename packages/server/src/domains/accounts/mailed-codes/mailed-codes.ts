import type { Reader, Writer } from '../../../db/database.ts';
import type { Tables } from '../../../db/tables.ts';
import type { Core } from '../../domain.ts';

const CODE_DIGITS = 6;
export const CODE_MINUTES = 15;
const ATTEMPTS_MOST = 5;

/** The tables that hold codes, with the columns that name what a code confirms. */
interface KeyColumns {
  login_codes: 'company_id' | 'login_id' | 'purpose';
  person_codes: 'person_id' | 'purpose';
  verification_codes: 'person_id' | 'field_id';
  mailed_tickets: 'ticket_hash';
}

type CodeTable = keyof KeyColumns;
type Key<Table extends CodeTable> = Pick<Tables[Table], KeyColumns[Table] & keyof Tables[Table]>;
/** What is stored with a code beside its key and the columns that `MailedCodes` fills. */
type Confirmed<Table extends CodeTable> = Omit<
  Tables[Table],
  KeyColumns[Table] | 'code_hash' | 'attempts' | 'expires_at'
>;

type Deps = Pick<Core, 'clock' | 'ids' | 'secrets'>;

/** Mailed codes of one table: short-lived, few tries, one for each key. */
export class MailedCodes<Table extends CodeTable> {
  readonly #deps: Deps;
  /** Queries are typed with one of the tables: they use only columns that both have, and keys. */
  readonly #table: 'login_codes';
  readonly #labelOf: (key: Key<Table>) => string;

  /** @param labelOf names the key in the hash of a code */
  constructor(deps: Deps, table: Table, labelOf: (key: Key<Table>) => string) {
    this.#deps = deps;
    this.#table = table as 'login_codes';
    this.#labelOf = labelOf;
  }

  /**
   * Makes a code, which the caller stores with `put` and mails.
   * @param code by default six digits
   */
  draw(
    key: Key<Table>,
    confirmed: Confirmed<Table>,
    code = this.#deps.ids.digits(CODE_DIGITS),
  ): { code: string; expiresAt: number; row: Tables[Table] } {
    const expiresAt = this.#deps.clock.now() + CODE_MINUTES * 60_000;
    const columns = { code_hash: this.#hash(key, code), attempts: 0, expires_at: expiresAt };
    return { code, expiresAt, row: { ...key, ...confirmed, ...columns } as unknown as Tables[Table] };
  }

  /** Stores a code in place of an earlier one for the same key. */
  async put(writer: Writer, key: Key<Table>, row: Tables[Table]): Promise<void> {
    const values = row as Tables['login_codes'];
    const columns = Object.keys(key) as KeyColumns['login_codes'][];
    await writer
      .insertInto(this.#table)
      .values(values)
      .onConflict((conflict) => conflict.columns(columns).doUpdateSet(values))
      .execute();
  }

  async find(reader: Reader, key: Key<Table>): Promise<Tables[Table] | undefined> {
    const query = reader
      .selectFrom(this.#table)
      .selectAll()
      .where((eb) => eb.and(filterOf(key)));
    return (await query.executeTakeFirst()) as Tables[Table] | undefined;
  }

  /**
   * Uses up a code. A wrong one counts as a try, so the caller must not throw in this transaction when it gets undefined.
   * @returns the row of the code; undefined when the code is wrong, expired or has no try left
   */
  async redeem(writer: Writer, key: Key<Table>, given: string): Promise<Tables[Table] | undefined> {
    const row = await this.check(writer, key, given);
    if (row !== undefined) await this.delete(writer, key);
    return row;
  }

  /** Like `redeem`, but a right code stays good. */
  async check(writer: Writer, key: Key<Table>, given: string): Promise<Tables[Table] | undefined> {
    const row = await this.find(writer, key);
    if (row === undefined || row.expires_at <= this.#deps.clock.now() || row.attempts >= ATTEMPTS_MOST)
      return undefined;
    if (this.#deps.secrets.matches(this.#label(key, given.replace(/\s/g, '')), row.code_hash)) return row;
    await writer
      .updateTable(this.#table)
      .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
      .where((eb) => eb.and(filterOf(key)))
      .execute();
    return undefined;
  }

  async delete(writer: Writer, key: Key<Table>): Promise<void> {
    await writer
      .deleteFrom(this.#table)
      .where((eb) => eb.and(filterOf(key)))
      .execute();
  }

  #hash(key: Key<Table>, code: string): string {
    return this.#deps.secrets.hash(this.#label(key, code));
  }

  #label(key: Key<Table>, code: string): string {
    return `${this.#labelOf(key)} ${code}`;
  }
}

const filterOf = (key: object) => key as Key<'login_codes'>;
