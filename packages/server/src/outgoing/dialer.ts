import { connect, type Socket } from 'node:net';
import type { ResolvedAddress } from './resolver.ts';

export type Dialed = (error: Error | undefined, socket?: Socket, address?: string) => void;

/** TCP connections, as a port: a test sees where they would go. */
export interface Dialer {
  /**
   * Connects to one of `addresses`, never to another, and tells which. The function it gives calls that off; `done` is
   * not called after it.
   */
  dial(addresses: readonly ResolvedAddress[], port: number, done: Dialed): () => void;
}

/**
 * How long one address may take when there is another to try: longer than a lost first packet (RFC 6298: 1 s), as Node
 * gives up the attempt and not only starts the next beside it.
 */
const ATTEMPT_MS = 1_500;

export const systemDialer: Dialer = {
  dial(addresses, port, done) {
    const [first] = addresses;
    if (first === undefined) throw new RangeError('No address to connect to.');
    const socket =
      addresses.length === 1
        ? connect({ host: first.address, port, noDelay: true })
        : connect({
            host: 'already.resolved.invalid',
            port,
            noDelay: true,
            autoSelectFamily: true,
            autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
            lookup: (_host, _options, found) => found(null, [...addresses]),
          });
    let called = false;
    const finish: Dialed = (error, ...connected) => {
      if (called) return;
      called = true;
      done(error, ...connected);
    };
    socket.once('connect', () => {
      // Not expected to differ; but this is the last moment before bytes leave.
      const address = socket.remoteAddress;
      if (address !== undefined && addresses.some((checked) => checked.address === address)) {
        finish(undefined, socket, address);
      } else {
        socket.destroy();
        finish(new Error(`connected to an unexpected address ${address ?? ''}`));
      }
    });
    socket.on('error', finish);
    return () => {
      called = true;
      socket.destroy();
    };
  },
};
