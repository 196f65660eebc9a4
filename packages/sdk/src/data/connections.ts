import type { CompanyConnection, CompanyConnectionRow } from '@symbolon/protocol';
import type { KeyWalk } from './list-walk.ts';
import type { Opener } from './opener.ts';
import type { PeopleKeys } from './people-keys.ts';
import type { Connection } from './value.ts';

type Options = {
  /** Knows whose the connections are. */
  people: Pick<PeopleKeys, 'requireCustomers'>;
  decrypt?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Yields connections in the order of the list. While the caller reads one page, the next is fetched and its values are
 * queued, so that the threads always have work. No further page is fetched ahead.
 */
export async function* walkConnections(
  walk: KeyWalk<CompanyConnectionRow>,
  opener: Opener,
  options: Options,
): AsyncGenerator<Connection, void, void> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const nextPage = async () => {
    const rows = await walk.next();
    return (
      rows && groupsOf(rows).map((group) => handled(connectionsOf(group, opener, { ...options, signal })))
    );
  };
  try {
    let page = await nextPage();
    while (page) {
      const following = handled(nextPage());
      for (let group = page.shift(); group; group = page.shift()) yield* await group;
      page = await following;
    }
  } finally {
    // A caller that stops early does not need what is still queued.
    stop.abort();
  }
}

/** The connections of some rows, their values opened in one batch. */
export async function connectionsOf(
  rows: readonly CompanyConnection[],
  opener: Opener,
  options: Options,
): Promise<Connection[]> {
  await options.people.requireCustomers(rows);
  const values = await opener.openValues(
    rows.map((row) => row.values),
    options,
  );
  return rows.map((row, index) => ({
    id: row.connection_id,
    personId: row.user_id,
    displayName: row.display_name,
    connectedAt: row.connected_at,
    customerType: row.customer_type,
    shareCode: row.share_code ?? null,
    values: values[index] ?? {},
    valuesPrivate: Object.assign(Object.create(null), row.values_private),
    pendingConsent: row.pending_consent ?? [],
  }));
}

/** Consecutive rows with about a hundred values together: a batch for a thread, 25 ms of work. */
function groupsOf(rows: readonly CompanyConnectionRow[]): CompanyConnectionRow[][] {
  const groups: CompanyConnectionRow[][] = [];
  let group: CompanyConnectionRow[] = [];
  let values = 0;
  for (const row of rows) {
    group.push(row);
    values += Object.keys(row.values).length;
    if (values >= VALUES_IN_A_BATCH || group.length >= VALUES_IN_A_BATCH) {
      groups.push(group);
      group = [];
      values = 0;
    }
  }
  return group.length > 0 ? [...groups, group] : groups;
}

/** A promise that may never be awaited, when reading stops early: its rejection must not count as unhandled. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

const VALUES_IN_A_BATCH = 100;
