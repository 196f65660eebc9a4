/** A thread that proves a backup: decrypting, hashing and counting would hold up the calls of a process. */
import { parentPort, workerData } from 'node:worker_threads';
import { type ProofOptions, proveBackup } from './prove.ts';

parentPort?.postMessage(await proveBackup(workerData as ProofOptions));
