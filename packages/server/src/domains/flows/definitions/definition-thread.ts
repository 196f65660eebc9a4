/** A thread that does what takes long for large definitions, one after the other. */
import { parentPort } from 'node:worker_threads';
import { type DefinitionWork, definitionWork } from './definition-work.ts';

export interface Task {
  readonly id: number;
  readonly work: keyof DefinitionWork;
  readonly input: unknown;
}

parentPort?.on('message', ({ id, work, input }: Task) => {
  try {
    parentPort?.postMessage({ id, result: definitionWork[work](input as never) });
  } catch (error) {
    parentPort?.postMessage({ id, error });
  }
});
