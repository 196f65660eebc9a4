import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { SealedBatch } from './open-batch.ts';

// Threads come and go with their pool: what one has compiled, the next need not.
enableCompileCache();
const [{ privateKeyObject }, { openBatch }] = await Promise.all([
  import('@symbolon/crypto/node'),
  import('./open-batch.ts'),
]);

// Node's crypto tells kinds of keys apart by exceptions it catches itself. Capturing their stacks costs 15 µs a value.
Error.stackTraceLimit = 0;

const pkcs8: Uint8Array = workerData.pkcs8;
const key = privateKeyObject(pkcs8);
pkcs8.fill(0);

parentPort?.on('message', (batch: SealedBatch) => parentPort?.postMessage(openBatch(batch, key)));
