import { Worker } from '../../../core/worker.ts';
import type { Database } from '../../../db/database.ts';
import { inSteps } from '../../../db/expired-rows.ts';
import type { Core, Domain } from '../../domain.ts';
import { sumUp } from './store.ts';
import { rowCountTables } from './tables.ts';

/** A read of a count adds up what has come since. */
const PAUSE_MS = 5000;

/** How many rows large tables have, known at any time without counting. */
export function createRowCounts(core: Core, { pausedDatabase }: { pausedDatabase: Database }): Domain {
  if (core.database.engine === 'sqlite') return { tables: rowCountTables };
  const work = async (stopping: AbortSignal) => {
    await inSteps({ ...core, database: pausedDatabase }, sumUp, stopping);
  };
  return {
    tables: rowCountTables,
    workers: [new Worker({ ...core, name: 'row counts', pauseMs: PAUSE_MS, work })],
  };
}
