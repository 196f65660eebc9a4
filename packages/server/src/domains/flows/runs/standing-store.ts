import type { Nullable, SelectQueryBuilder } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import type { Tables } from '../../../db/tables.ts';
import { unindexed } from '../../../db/unindexed.ts';
import type { FlowRunRow } from './tables.ts';

/** What of a run is short enough for lists of hundreds. */
const LISTED = {
  ...{ company_id: true, service_id: true, id: true, flow_id: true, flow_version: true, flow_name: true },
  ...{ reference: true, connection_id: true, customer_id: true, customer_type: true, status: true },
  ...{ company_turn: true, current_node: true, output_mode: true, bindings: true },
  ...{ reference_date: true, document_id: true, failure: true, acts: true, bytes: true },
  ...{ created_at: true, updated_at: true, ended_at: true },
  ...{ private_slugs: false, owner_tag_values: false, last_act: false },
} as const satisfies Record<keyof FlowRunRow, boolean>;
type ListedColumn = {
  [Name in keyof typeof LISTED]: (typeof LISTED)[Name] extends true ? Name : never;
}[keyof typeof LISTED];
const LISTED_COLUMNS = (Object.keys(LISTED) as (keyof FlowRunRow)[])
  .filter((column) => LISTED[column])
  .map((column) => `flow_runs.${column}` as const);

/** What parties and events name of a run, beside its row. */
interface NamedInRun {
  readonly company_name: string;
  readonly company_code: string;
  readonly service_name: string;
  readonly service_code: string;
  /** The code of the customer that it was started with. */
  readonly share_code: string | null;
  /** The connection that it was started with; null when that has ended. */
  readonly standing_id: string | null;
}

/** A run with what its parties and events name. */
export interface StandingRun extends FlowRunRow, NamedInRun {}

/** The same without what is long in it. */
export interface ListedRun extends Pick<FlowRunRow, ListedColumn>, NamedInRun {}

type Joined<Table extends keyof Tables | 'customers'> = {
  [Name in keyof Tables | 'customers']: Name extends 'persons' | 'connections'
    ? Nullable<Tables[Name & keyof Tables]>
    : Name extends 'customers'
      ? Nullable<Tables['companies']>
      : Name extends keyof Tables
        ? Tables[Name]
        : never;
} & Record<Table, unknown>;
export type Runs<Run> = SelectQueryBuilder<
  Joined<'customers'>,
  'flow_runs' | 'services' | 'companies' | 'persons' | 'customers' | 'connections',
  Run
>;

/** Runs in the home region of their company, of services that are not deleted. */
export const runs = (reader: Reader) =>
  standingRuns(reader).selectAll('flow_runs') as unknown as Runs<StandingRun>;

export const listedRuns = (reader: Reader) =>
  standingRuns(reader).select(LISTED_COLUMNS) as unknown as Runs<ListedRun>;

const standingRuns = (reader: Reader) =>
  reader
    .selectFrom('flow_runs')
    .innerJoin('services', (join) =>
      join
        .on('services.company_id', '=', unindexed('flow_runs.company_id'))
        .on('services.id', '=', unindexed('flow_runs.service_id')),
    )
    .innerJoin('companies', (join) => join.on('companies.id', '=', unindexed('flow_runs.company_id')))
    .leftJoin('persons', (join) => join.on('persons.id', '=', unindexed('flow_runs.customer_id')))
    .leftJoin('companies as customers', (join) =>
      join.on('customers.id', '=', unindexed('flow_runs.customer_id')),
    )
    .leftJoin('connections', (join) => join.on('connections.id', '=', unindexed('flow_runs.connection_id')))
    .select((eb) => [
      'companies.name as company_name',
      'companies.code as company_code',
      'services.name as service_name',
      'services.share_code as service_code',
      'connections.id as standing_id',
      eb.fn.coalesce('persons.share_code', 'customers.code').as('share_code'),
    ])
    .where('companies.region', 'is', null);
