import type { KyselyPlugin } from 'kysely';
import type { Writer } from '../../../server/src/db/database.ts';
import type { TestPlatform } from './platform.ts';

/** What the transactions of some work send through Kysely. */
export interface Sent {
  /** Statements. */
  readonly statements: number;
  /** Rows that they inserted, changed or deleted. */
  readonly rows: number;
}

/** Counts what the transactions of `work` send. */
export async function statementsOf(platform: TestPlatform, work: () => Promise<unknown>): Promise<Sent> {
  const { database } = platform.context;
  let statements = 0;
  let rows = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements++;
      return node;
    },
    async transformResult({ result }) {
      rows += Number(result.numAffectedRows ?? 0n);
      return result;
    },
  };
  const { write } = database;
  const counted = (run: (writer: Writer) => Promise<unknown>): Promise<unknown> =>
    write.call(database, (writer: Writer) => run(writer.withPlugin(counting)));
  Object.assign(database, { write: counted });
  try {
    await work();
  } finally {
    Object.assign(database, { write });
  }
  return { statements, rows };
}
