import { parentPort, workerData } from 'node:worker_threads';
import { privateKeyObject } from '@symbolon/crypto/node';
import { openBatch, type SealedBatch } from './open-batch.ts';

// Node's crypto tells kinds of keys apart by exceptions it catches itself. Capturing their stacks costs 15 µs a value.
Error.stackTraceLimit = 0;

const pkcs8: Uint8Array = workerData.pkcs8;
const key = privateKeyObject(pkcs8);
pkcs8.fill(0);

parentPort?.on('message', (batch: SealedBatch) => parentPort?.postMessage(openBatch(batch, key)));
