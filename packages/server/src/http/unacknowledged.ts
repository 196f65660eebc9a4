import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The kernel's name of a connection whose peer has closed and which we have not closed yet. */
const CLOSE_WAIT = '08';

/**
 * Whether a peer that has closed its side had acknowledged all that was written to it. Its closing segment acknowledges
 * what its kernel had taken; bytes beyond that will be answered with a reset. Must be asked in the turn in which the
 * socket emits 'end'.
 *
 * Linux tells; elsewhere, and where its tables cannot be read, the answer is undefined.
 */
export function acknowledgedAll(socket: Socket): boolean | undefined {
  const table = readTable(socket.remoteFamily === 'IPv6' ? '/proc/net/tcp6' : '/proc/net/tcp');
  if (table === undefined) return undefined;
  const ends = `:${port(socket.localPort)} [0-9A-F]+:${port(socket.remotePort)} ${CLOSE_WAIT}`;
  // The ports alone tell: peers at two addresses that close from one port number at one time would only be sent twice.
  const queues = [...table.matchAll(new RegExp(`${ends} ([0-9A-F]{8}):`, 'g'))];
  // A connection that was reset is in no table any more.
  return queues.length > 0 && queues.every(([, unacknowledged]) => unacknowledged === '00000000');
}

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
