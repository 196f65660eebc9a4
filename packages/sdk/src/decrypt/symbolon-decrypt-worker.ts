import { parentPort, workerData } from 'node:worker_threads';
import { privateKeyObject } from '@symbolon/crypto/node';
import { openBatch, type SealedBatch } from './open-batch.ts';

const pkcs8: Uint8Array = workerData.pkcs8;
const key = privateKeyObject(pkcs8);
pkcs8.fill(0);

parentPort?.on('message', (batch: SealedBatch) => parentPort?.postMessage(openBatch(batch, key)));
