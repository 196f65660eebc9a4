import { type Kysely, sql } from 'kysely';

/**
 * What a connection was asked follows from versions: it knows with which version of the service's request rows it was made,
 * and each row knows since which version it is asked of connections that stand. Only decisions have rows.
 *
 * Rows of before have no versions, but an order: a connection that was asked by an earlier publish was asked by all later
 * ones, so the connections that were asked a row are part of those that were asked a later row. Counting them puts the rows
 * in order, without a clock. The latest gets version 0, those before it -1, -2, and so on. All connections begin at 0, so only those
 * that were asked something are written.
 */
export function requestVersions() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const { schema } = db;
      await schema
        .alterTable('connections')
        .addColumn('request_version', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      for (const name of ['people_since', 'companies_since'])
        await schema.alterTable('request_fields').addColumn(name, 'bigint').execute();
      for (const name of ['asked_at', 'turning'])
        await schema
          .alterTable('request_fields')
          .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
          .execute();
      await schema.alterTable('services').addColumn('consent_id', 'text').execute();
      await schema
        .alterTable('services')
        .addColumn('asked_version', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();

      await sql`
        with asked as (
          select consent_rows.company_id, connections.service_id, consent_rows.request_field_id,
            connections.customer_type, count(*) as customers, max(consent_rows.created_at) as asked_at
          from consent_rows
          inner join connections on connections.id = consent_rows.connection_id
          group by consent_rows.company_id, connections.service_id, consent_rows.request_field_id,
            connections.customer_type
        ), ranked as (
          select asked.*, 1 - dense_rank() over (
            partition by company_id, service_id, customer_type order by customers desc) as since
          from asked
        ), published as (
          select company_id, service_id, request_field_id, max(asked_at) as asked_at,
            max(case when customer_type = 'person' then since end) as people_since,
            max(case when customer_type = 'company' then since end) as companies_since
          from ranked group by company_id, service_id, request_field_id
        )
        update request_fields set asked_at = published.asked_at, people_since = published.people_since,
          companies_since = published.companies_since
        from published
        where request_fields.company_id = published.company_id
          and request_fields.service_id = published.service_id
          and request_fields.id = published.request_field_id
      `.execute(db);
      await sql`
        with asked as (
          select connections.company_id, connections.service_id, connections.id,
            min(case when connections.customer_type = 'person' then request_fields.people_since
              else request_fields.companies_since end) - 1 as request_version
          from consent_rows
          inner join connections on connections.id = consent_rows.connection_id
          inner join request_fields on request_fields.company_id = connections.company_id
            and request_fields.service_id = connections.service_id
            and request_fields.id = consent_rows.request_field_id
          group by connections.company_id, connections.service_id, connections.id
        )
        update connections set request_version = asked.request_version
        from asked
        where connections.company_id = asked.company_id and connections.service_id = asked.service_id
          and connections.id = asked.id
      `.execute(db);
      await sql`
        with pending as (
          select connections.company_id, connections.service_id, max(consent_rows.consent_id) as consent_id
          from consent_rows
          inner join connections on connections.id = consent_rows.connection_id
          where consent_rows.state = 'pending'
          group by connections.company_id, connections.service_id
        )
        update services set consent_id = pending.consent_id
        from pending
        where services.company_id = pending.company_id and services.id = pending.service_id
      `.execute(db);

      await sql`delete from consent_rows where state = 'pending'`.execute(db);
      // Answers to a row are found by their connections.
      for (const name of ['consent_rows_consent', 'consent_rows_request_field', 'slot_values_request_field'])
        await schema.dropIndex(name).execute();
      for (const name of ['consent_id', 'created_at'])
        await schema.alterTable('consent_rows').dropColumn(name).execute();
    },
  };
}
