/**
 * The platform as a process that kills itself in the middle of what it does with documents: SYMBOLON_FAULTS_DIE names the step,
 * `before` or `after` it, and which of several such steps, as in `copy after 2`.
 */
import { readConfig, serve } from '@symbolon/server';
import { Acts } from '../../../server/src/domains/agreements/acts/acts.ts';
import { Completion } from '../../../server/src/domains/agreements/acts/completion.ts';
import { LineActs } from '../../../server/src/domains/agreements/acts/line-acts.ts';
import { RunCopies } from '../../../server/src/domains/agreements/run-copies/run-copies.ts';
import { Generation } from '../../../server/src/domains/flows/generation/generation.ts';
import { Blobs } from '../../../server/src/domains/operations/blobs/blobs.ts';

type Step = (...given: unknown[]) => Promise<unknown>;

const [step = '', when, which = '1'] = (process.env.SYMBOLON_FAULTS_DIE ?? '').split(' ');
const places: Readonly<Record<string, readonly [prototype: object, method: string]>> = {
  seal: [Completion.prototype, 'seal'],
  copy: [Blobs.prototype, 'keepStream'],
  store: [Completion.prototype, 'store'],
  act: [Acts.prototype, 'perform'],
  create: [RunCopies.prototype, 'create'],
  generate: [Generation.prototype, 'generate'],
  'store-all': [LineActs.prototype, 'store'],
  advance: [LineActs.prototype, 'advance'],
};
const [prototype, method] = places[step] ?? [];
if (prototype === undefined || method === undefined) throw new Error(`There is no step ${step}.`);
const methods = prototype as Record<string, Step>;
const original = methods[method];
let count = 0;
methods[method] = async function (this: unknown, ...given) {
  const isLast = ++count === Number(which);
  if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL');
  const result = await original?.apply(this, given);
  if (isLast) process.kill(process.pid, 'SIGKILL');
  return result;
};

const platform = await serve(readConfig(process.env));
console.log(platform.url);
