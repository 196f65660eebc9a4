import { sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { onRows, type RecordColumns } from '../../../db/recordset.ts';
import type { WebhookAttemptsRow, WebhookRow } from './tables.ts';

const COLUMNS: RecordColumns<WebhookAttemptsRow> = {
  company_id: 'text',
  webhook_id: 'text',
  id: 'text',
  size: 'bigint',
  attempts: 'text',
};
const names = sql.join(Object.keys(COLUMNS).map((column) => sql.ref(column)));
const values = sql.join(Object.keys(COLUMNS).map((column) => sql.ref(`added.${column}`)));

/** A webhook that is deleted at the same time keeps nothing. Of several they are locked in the order of their ids. */
const inserted = (locking: string) =>
  onRows(
    'added',
    COLUMNS,
    (added) => sql`
      insert into webhook_attempts (${names})
      select ${values} from ${added} inner join webhooks on webhooks.id = added.webhook_id
      order by added.webhook_id, added.id ${sql.raw(locking)}`,
  );
const insert = { sqlite: inserted(''), postgres: inserted('for key share of webhooks') };

/** Rows that one statement writes, each as long as a value may be. */
const GROUP = 100;

/** Adds attempts of webhooks that stand. */
export async function insertAttempts(
  engine: Engine,
  writer: Writer,
  rows: readonly WebhookAttemptsRow[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += GROUP)
    await insert[engine](engine, writer, rows.slice(from, from + GROUP));
}

const old = onRows<{ company_id: string; id: string; most: number }>(
  'these',
  { company_id: 'text', id: 'text', most: 'bigint' },
  (these) => sql`
    delete from webhook_attempts where (company_id, webhook_id, id) in (
      select company_id, webhook_id, attempts_id from (
        select kept.company_id, kept.webhook_id, kept.id as attempts_id, these.most as most,
          sum(kept.size) over (partition by kept.company_id, kept.webhook_id order by kept.id desc) - kept.size as newer
        from ${these} inner join webhook_attempts as kept
          on kept.company_id = these.company_id and kept.webhook_id = these.id
      ) as counted where newer >= most
    )`,
);

/** Deletes, of some webhooks, the rows before which others hold the latest `most` attempts. */
export async function deleteOldAttempts(
  engine: Engine,
  writer: Writer,
  webhooks: readonly Pick<WebhookRow, 'company_id' | 'id'>[],
  most: number,
): Promise<void> {
  const rows = webhooks.map(({ company_id, id }) => ({ company_id, id, most }));
  await old(engine, writer, rows);
}

export function attemptsOf(
  reader: Reader,
  { company_id, id }: Pick<WebhookRow, 'company_id' | 'id'>,
): Promise<Pick<WebhookAttemptsRow, 'attempts'>[]> {
  return reader
    .selectFrom('webhook_attempts')
    .select('attempts')
    .where('company_id', '=', company_id)
    .where('webhook_id', '=', id)
    .execute();
}
