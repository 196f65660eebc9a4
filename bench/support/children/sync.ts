import { DataClient } from '@symbolon/sdk';
import { answering } from './answering.ts';

/** A company's backend that reads everyone connected, once, and opens every value. */
export interface Sync {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** PKCS#8, base64. */
  readonly privateKey: string;
}

answering(null, {
  answer: async ({ url, clientId, clientSecret, privateKey }: Sync) => {
    const from = performance.now();
    await using client = new DataClient({
      url,
      clientId,
      clientSecret,
      privateKey: { pkcs8: Buffer.from(privateKey, 'base64') },
    });
    client.warm();
    let connections = 0;
    let opened = 0;
    for await (const connection of client.connections()) {
      connections += 1;
      for (const { value } of Object.values(connection.values)) {
        if (typeof value === 'string' && value.startsWith('value ')) opened += 1;
      }
    }
    return { connections, opened, elapsedMs: performance.now() - from };
  },
});
