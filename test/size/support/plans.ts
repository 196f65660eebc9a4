import type { DatabaseSync } from 'node:sqlite';
import type { Client } from 'pg';
import type { Captured } from './capture.ts';

/** Statements that may read much, and why. */
const PERMITTED: readonly [RegExp, string][] = [
  [
    /count\(\*\) as "rows" from "\w+" where "\w+" is not null/,
    'GET /api/admin/keys counts what is under each version of the secret, when an operator changes keys',
  ],
];

/** Rows that a statement may read: pages have 500, of which each may need a few. */
const ROWS_MOST = 6000;

const isPermitted = (text: string) => PERMITTED.some(([pattern]) => pattern.test(text));
const told = (text: string, found: string) => `${found}\n    ${text.replace(/\s+/g, ' ').slice(0, 1500)}`;

/** How SQLite finds the rows of a statement. */
export const stepsOnSqlite = (database: DatabaseSync, text: string) =>
  database.prepare(`explain query plan ${text}`).all() as { detail: string }[];

/** What is wrong with the plan of a statement on SQLite; undefined when nothing is. */
export function problemOnSqlite(
  database: DatabaseSync,
  { text }: Captured,
  large: readonly string[],
): string | undefined {
  if (isPermitted(text)) return undefined;
  const steps = stepsOnSqlite(database, text);
  const names = aliasesOf(text);
  const ofLarge = (detail: string) => {
    const [, name = ''] = /^(?:SCAN|SEARCH) (\w+)/.exec(detail) ?? [];
    return large.includes(names.get(name) ?? name);
  };
  const isPaged = /\blimit\b/i.test(text);
  const scan = steps.find(
    // A page of a list follows an index as far as the page goes.
    ({ detail }) =>
      detail.startsWith('SCAN') && ofLarge(detail) && !(isPaged && / USING .*INDEX/.test(detail)),
  );
  if (scan !== undefined) return told(text, scan.detail);
  const sorts = steps.some(({ detail }) => /^USE TEMP B-TREE FOR (?!.*COUNT)/.test(detail));
  // Rows that one id of each leads to are few. An index of which a range or one column is used may lead to all.
  const wide = steps.find(({ detail }) => ofLarge(detail) && /[<>]/.test(detail));
  return sorts && wide !== undefined ? told(text, `sorts what it finds by ${wide.detail}`) : undefined;
}

function aliasesOf(text: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, table = '', alias = ''] of text.matchAll(/"(\w+)" as "(\w+)"/g)) names.set(alias, table);
  return names;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The same on PostgreSQL: the statement runs, and is undone. */
export async function problemOnPostgres(
  client: Client,
  { text, values }: Captured,
  large: readonly string[],
): Promise<string | undefined> {
  if (isPermitted(text) || /pg_|information_schema|kysely|nextval/.test(text)) return undefined;
  await client.query('begin');
  try {
    const nodes = await nodesOnPostgres(client, { text, values });
    const read = sumOf(nodes);
    const worst = nodes.toSorted((one, other) => rowsRead(other) - rowsRead(one))[0];
    if (worst !== undefined && read > ROWS_MOST)
      return told(text, `reads ${read} rows, most by ${worst['Node Type']} of ${worst['Relation Name']}`);
    const scan = nodes.find(
      (node) =>
        node['Node Type'] === 'Seq Scan' &&
        large.includes(node['Relation Name'] ?? '') &&
        rowsRead(node) > 1000,
    );
    return scan === undefined ? undefined : told(text, `Seq Scan of ${scan['Relation Name']}`);
  } catch (error) {
    // A copy of a row that is there, or one that is gone: such a statement has no plan to run any more.
    if (/^23/.test((error as { code?: string }).code ?? '')) return undefined;
    return told(text, `fails: ${(error as Error).message}`);
  } finally {
    await client.query('rollback');
  }
}

async function nodesOnPostgres(client: Client, { text, values }: Captured): Promise<PlanNode[]> {
  const { rows } = await client.query({
    text: `explain (analyze, timing off, format json) ${text}`,
    values: [...values],
  });
  const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }];
  return nodesOf(plan);
}

const sumOf = (nodes: readonly PlanNode[]) => nodes.reduce((sum, node) => sum + rowsRead(node), 0);

/** How many rows PostgreSQL reads for a statement that changes none. */
export const rowsReadOnPostgres = async (client: Client, statement: Captured): Promise<number> =>
  sumOf(await nodesOnPostgres(client, statement));

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Rows that a node took up and those it threw away. */
function rowsRead(node: PlanNode): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const scanned = /Scan/.test(node['Node Type']) ? (node['Actual Rows'] ?? 0) : 0;
  return Math.round((scanned + removed) * (node['Actual Loops'] ?? 1));
}
