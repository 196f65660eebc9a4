import { once } from 'node:events';
import { type AddressInfo, connect, type Server } from 'node:net';
import { HOST } from '../platform/address.ts';

/** Has a server listen at a free port of this machine. @returns the port, and the address of an HTTP server */
export async function listening(server: Server): Promise<{ port: number; url: string }> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
}

/** Whether a server listens at a port of this machine. */
export async function listens(port: number): Promise<boolean> {
  const socket = connect(port, HOST);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
