import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Has a server listen at a free port of this machine. @returns the port, and the address of an HTTP server */
export async function listening(server: Server): Promise<{ port: number; url: string }> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
}
