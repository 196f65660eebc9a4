import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../../../db/tables.ts';
import { unindexed } from '../../../db/unindexed.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import type { ConnectionRow } from './tables.ts';

/*
 * What is pending follows from versions, so that a publish writes nothing for a connection: a row is pending when it is asked
 * of connections of this kind since a version after the connection's own, and the customer has not decided on it.
 */

/** Whether a publish asked a row of a connection that stood, as `pendingRows` says it in SQL. */
export function wasAskedLater(
  connection: Pick<ConnectionRow, 'customer_type' | 'request_version'>,
  row: Pick<RequestFieldRow, 'people_since' | 'companies_since'>,
): boolean {
  const since = connection.customer_type === 'person' ? row.people_since : row.companies_since;
  return since !== null && since > connection.request_version;
}

/** The undecided rows of some connections. Connections that were asked nothing cost one look at their service. */
export function pendingRows<Output>(connections: SelectQueryBuilder<Tables, 'connections', Output>) {
  return connections
    .innerJoin('services', (join) =>
      join
        .on('services.company_id', '=', unindexed('connections.company_id'))
        .on('services.id', '=', unindexed('connections.service_id'))
        .onRef('services.asked_version', '>', 'connections.request_version'),
    )
    .innerJoin('request_fields', (join) =>
      join
        .on('request_fields.company_id', '=', unindexed('connections.company_id'))
        .on('request_fields.service_id', '=', unindexed('connections.service_id')),
    )
    .select([
      'connections.id as connection_id',
      'request_fields.id as request_field_id',
      'request_fields.asked_at',
      'services.consent_id',
    ])
    .where(
      sql<number>`case when connections.customer_type = 'person' then request_fields.people_since
        else request_fields.companies_since end`,
      '>',
      sql.ref<number>('connections.request_version'),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('consent_rows')
            .select('consent_rows.state')
            .whereRef('consent_rows.company_id', '=', 'connections.company_id')
            .whereRef('consent_rows.connection_id', '=', 'connections.id')
            .whereRef('consent_rows.request_field_id', '=', 'request_fields.id'),
        ),
      ),
    );
}
