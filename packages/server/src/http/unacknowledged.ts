import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/**
 * Whether a peer has acknowledged all that was written to it: its kernel has the bytes. When the peer has closed, ask in
 * the turn in which the socket emits 'end': the closing segment says how far it came, and whatever was not acknowledged
 * then is going to be answered with a reset.
 *
 * Linux tells; elsewhere, and where its tables cannot be read, the answer is undefined. A look costs time with the number
 * of connections of the machine.
 */
export function acknowledgedAll(socket: Socket): boolean | undefined {
  const table = readTable(socket.remoteFamily === 'IPv6' ? '/proc/net/tcp6' : '/proc/net/tcp');
  if (table === undefined) return undefined;
  const ends = `:${port(socket.localPort)} [0-9A-F]+:${port(socket.remotePort)} (?:${ESTABLISHED}|${CLOSE_WAIT})`;
  // The ports alone tell: two peers with one port number at one time would at worst be waited for together.
  const queues = [...table.matchAll(new RegExp(`${ends} ([0-9A-F]{8}):`, 'g'))];
  // A connection that was reset is in no table any more.
  return queues.length > 0 && queues.every(([, unacknowledged]) => unacknowledged === '00000000');
}

/** States of a connection in the kernel's table: both sides open, and the peer's side closed. */
const ESTABLISHED = '01';
const CLOSE_WAIT = '08';

function readTable(path: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

function port(number: number | undefined): string {
  return (number ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
