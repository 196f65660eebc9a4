import { dirname } from 'node:path';
import { domainOf, type Mutant } from './mutable.ts';
import type { Reach } from './reach.ts';

/** 0: a test stands beside the mutant, 1: in its domain, 2: elsewhere. */
export const DISTANCES = [0, 1, 2] as const;

/** A test file that reaches a mutant. */
export interface Reaching {
  readonly file: string;
  /** Of the file's tests; empty when only what is around them reaches the mutant. */
  readonly tests: readonly string[];
  /** Processor time of the file up to its last test that reaches it, in milliseconds. */
  readonly cost: number;
  readonly distance: (typeof DISTANCES)[number];
}

/** Processor time of the tests of one process, in milliseconds: enough to be worth the start of it. */
const STEP_COST = 8_000;
/** Of all tests of the same domain, and of all others, that are run for one mutant. */
const DOMAIN_COST = 30_000;
const OTHERS_COST = 12_000;

/** The test files that reach a mutant: nearest first, those whose tests reach it before the others, then the cheapest. */
export function reachingFiles(mutant: Mutant, place: number, reach: Reach): Reaching[] {
  const found: Reaching[] = [];
  for (const [file, { outside, outsideCost, tests }] of reach) {
    const all = Object.entries(tests);
    const own = all.filter(([, test]) => test.passed && test.places.includes(place)).map(([name]) => name);
    if (own.length === 0 && !outside.includes(place)) continue;
    // After the last test that reaches it nothing is run.
    const last = own.length === 0 ? all.length : all.findLastIndex(([name]) => own.includes(name)) + 1;
    const cost = all.slice(0, last).reduce((sum, [, test]) => sum + test.cost, outsideCost);
    found.push({ file, tests: own, cost, distance: distanceOf(mutant, file) });
  }
  const order = ({ distance, tests }: Reaching) => distance * 2 + (tests.length > 0 ? 0 : 1);
  return found.sort((a, b) => order(a) - order(b) || a.cost - b.cost);
}

/** What is run for a mutant, one process after the other; not all of what reaches it when that takes long. */
export function stepsFor(reaching: readonly Reaching[]): Reaching[][] {
  const steps: Reaching[][] = [];
  const left = { near: DOMAIN_COST, far: OTHERS_COST };
  let room = 0;
  let wasFar = false;
  for (const one of reaching) {
    const isFar = one.distance === 2;
    const budget = isFar ? 'far' : 'near';
    // One of each is always run, however long it takes.
    const isFirst = steps.length === 0;
    if (!isFirst && left[budget] < one.cost) continue;
    left[budget] -= one.cost;
    if (isFirst || room < one.cost || isFar !== wasFar) {
      steps.push([]);
      room = STEP_COST;
    }
    wasFar = isFar;
    room -= one.cost;
    steps.at(-1)?.push(one);
  }
  return steps;
}

export function distanceOf(
  { file, domain }: Pick<Mutant, 'file' | 'domain'>,
  test: string,
): Reaching['distance'] {
  if (dirname(test) === dirname(file)) return 0;
  return domainOf(test) === domain ? 1 : 2;
}
