import { type Kysely, sql } from 'kysely';
import type { Engine } from '../database.ts';

/** Indexes for queries that read more than they answered. */
export function fittingIndexes(engine: Engine) {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const index = (name: string, table: string, ...columns: string[]) =>
        db.schema.createIndex(name).on(table).columns(columns).execute();

      // How old a webhook's queue is, and what of it is too old.
      await index('webhook_events_age', 'webhook_events', 'webhook_id', 'at');

      // What an operator looks for: names and addresses that begin with a text, in any case.
      for (const [table, name] of [
        ['companies', 'name'],
        ['persons', 'display_name'],
      ] as const) {
        const folded = (column: string) =>
          sql.raw(engine === 'sqlite' ? `lower(${column})` : `(lower(${column}) collate "C")`);
        await sql`create index ${sql.ref(`${table}_begins_name`)} on ${sql.table(table)} (${folded(name)})`.execute(
          db,
        );
        await sql`create index ${sql.ref(`${table}_begins_email`)} on ${sql.table(table)} (${folded('email')})`.execute(
          db,
        );
      }

      // Which field types are in use.
      for (const table of TYPED) await index(`${table}_type`, table, 'type');

      // What expires is deleted by a sweep.
      await index('portal_sessions_expiry', 'portal_sessions', 'expires_at');
      await index('portal_sessions_seen', 'portal_sessions', 'transport', 'last_seen_at');
      for (const table of EXPIRING) await index(`${table}_expiry`, table, 'expires_at');

      if (engine === 'sqlite') return;
      // What a process had claimed or leased before it was restarted.
      for (const [table, owner] of [
        ['changes', 'claim_owner'],
        ['webhook_events', 'claim_owner'],
        ['webhooks', 'lease_owner'],
      ] as const) {
        await db.schema
          .createIndex(`${table}_claimed`)
          .on(table)
          .column(owner)
          .where(sql.ref(owner), 'is not', null)
          .execute();
      }
    },
  };
}

const TYPED = ['person_fields', 'request_fields', 'share_fields', 'contact_fields', 'contact_data'];

const EXPIRING = [
  'sign_in_tickets',
  'trusted_devices',
  'login_codes',
  'act_proofs',
  'verification_codes',
  'mailed_tickets',
];
