import { setImmediate as turn } from 'node:timers/promises';
import { callerParty } from '../../../core/deadline.ts';
import { FairTurns } from '../../../core/fair-turns.ts';

const reads = new FairTurns({ perParty: 1, inAll: 4, waitingMost: 64 });

/**
 * Reads what may be a long definition: each account one at a time, in a turn of the event loop that no other of its reads has a part in. Not within a
 * transaction, which would keep its connection while it waits.
 *
 * @throws {PlatformError} rate_limit.exceeded; {CallerGone} while it waits
 */
export const readLong = <Row>(read: () => Promise<Row>): Promise<Row> =>
  reads.run(callerParty(), async () => {
    const row = await read();
    await turn();
    return row;
  });
