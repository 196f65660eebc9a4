import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * The loopback address at which this process starts what must know its port before it listens. On Linux it is this process's
 * own, by its id: outgoing connections have 127.0.0.1 as theirs, and other processes of a run listen elsewhere, so that a
 * port that was found free stays free. Elsewhere there is 127.0.0.1 alone.
 */
export const HOST = process.platform === 'linux' ? addressOf(process.pid) : '127.0.0.1';

/** An id has 22 bits at most: they fit below 127.64.0.0/10. */
function addressOf(pid: number): string {
  return `127.${64 + ((pid >> 16) & 63)}.${(pid >> 8) & 255}.${pid & 255}`;
}

const given = new Set<number>();

/** A free port of an address, given once. */
export async function freePort(host = HOST): Promise<number> {
  for (;;) {
    const probe = createServer().listen(0, host);
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}

/** The base of a platform at a port of an address. */
export const baseAt = (port: number, host = HOST): string => `http://${host}:${port}`;
