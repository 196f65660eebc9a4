import type { Database, Writer } from '../../../server/src/db/database.ts';
import { offerConnection, offeredConnection } from '../../../server/src/db/prepared.ts';

/**
 * Refuses what reads or writes by a transaction that has ended: it lacks an await. The embedded database would take it, in
 * whatever transaction is open then; PostgreSQL gives its connection to others. The refusal is lost in the same way, so it ends
 * the run of its file as a failure.
 */
export function refuseLateWrites(database: Database): void {
  if (database.engine !== 'sqlite') return;
  const write = database.write.bind(database);
  Object.assign(database, {
    write: <T>(work: (writer: Writer) => Promise<T>): Promise<T> =>
      write(async (writer) => {
        let hasEnded = false;
        try {
          return await work(whileOpen(writer, () => !hasEnded));
        } finally {
          hasEnded = true;
        }
      }),
  });
}

function whileOpen(writer: Writer, isOpen: () => boolean): Writer {
  const own = new Proxy(writer, {
    get(target, name) {
      if (!isOpen()) throw new Error('A transaction is used after its end: wait for each write in it.');
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const prepare = offeredConnection(writer);
  if (prepare !== undefined) offerConnection(own, prepare);
  return own;
}
