import { availableParallelism, cpus, release, totalmem, type } from 'node:os';

/** What the numbers were measured on. */
export function machine() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown CPU',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    os: `${type()} ${release()}`,
  };
}
