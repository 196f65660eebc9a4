/**
 * Brings a database up to date in a process that kills itself before one of its statements: SYMBOLON_FAULTS_DIE is the number of that
 * statement, of those of both engines' drivers.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { openDatabase, readConfig } from '@symbolon/server';
import pg from 'pg';

const last = Number(process.env.SYMBOLON_FAULTS_DIE);
let count = 0;
const places: readonly (readonly [prototype: object, methods: readonly string[]])[] = [
  [pg.Client.prototype, ['query']],
  [DatabaseSync.prototype, ['exec']],
  [StatementSync.prototype, ['all', 'get', 'iterate', 'run']],
];
for (const [prototype, names] of places) {
  const methods = prototype as Record<string, (...given: unknown[]) => unknown>;
  for (const name of names) {
    const original = methods[name];
    methods[name] = function (this: unknown, ...given) {
      if (++count === last) process.kill(process.pid, 'SIGKILL');
      return original?.apply(this, given);
    };
  }
}

const database = await openDatabase(readConfig(process.env));
await database.stop();
