import type { Cost } from '../../costs.ts';
import { INPUTS } from './inputs.ts';

const DAY_SECONDS = 86_400;
const YEAR_DAYS = 365;
const MONTH_DAYS = 30;

export interface Region {
  readonly people: number;
  /** A second, at the peak, as all that follows. */
  readonly acts: number;
  readonly platformCores: number;
  readonly frontDoorCores: number;
  readonly databaseCores: number;
  readonly commits: number;
  readonly walMb: number;
  readonly stateTb: number;
  readonly yearTb: number;
  /** What one PostgreSQL server has too little of first. */
  readonly first: string;
  /** PostgreSQL servers that write. */
  readonly primaries: number;
  readonly month: number;
}

/** How often each act is done in a day by so many people and their companies. */
export function actsOfDay(people: number): Record<string, number> {
  const acts: Record<string, number> = {};
  const add = (name: string, count: number) => {
    acts[name] = (acts[name] ?? 0) + count;
  };
  for (const [name, times] of Object.entries(INPUTS.habits)) add(name, times * people);
  const companies = people / INPUTS.peopleOfCompany;
  for (const [name, times] of Object.entries(INPUTS.backend)) add(name, times * companies);
  const connections = people * INPUTS.connectionsOfPerson;
  add('page of connections', (connections / INPUTS.pageOfList) * INPUTS.fullListsADay);
  // The measured edit is of one connection; each further one is delivered as well.
  add('delivery', INPUTS.habits.edit * people * INPUTS.connectionsOfPerson);
  return acts;
}

/** What a drain costs that finds nothing is what a look at the caller costs: a full one is paid for by what it carries. */
function costOf(name: string, costs: Readonly<Record<string, Cost>>): Cost {
  const none = { platformCpu: 0, databaseCpu: 0, rows: 0, commits: 0, walBytes: 0, databaseBytes: 0 };
  if (name === 'drain') return costs.whoami ?? none;
  if (name === 'delivery') return less(costs['edit with a delivery'] ?? none, costs.edit ?? none);
  const cost = costs[name];
  if (cost === undefined) throw new Error(`Nothing was measured of ${name}.`);
  return cost;
}

function less(whole: Cost, part: Cost): Cost {
  const entries = Object.entries(whole).map(([name, value]) => [
    name,
    Math.max(0, value - part[name as keyof Cost]),
  ]);
  return Object.fromEntries(entries);
}

export function plan(
  people: number,
  costs: Readonly<Record<string, Cost>>,
  bytesOfConnection: number,
): Region {
  const { peak, usable, primary, prices, copies } = INPUTS;
  const day = Object.entries(actsOfDay(people));
  const total = (of: (cost: Cost) => number) =>
    day.reduce((sum, [name, count]) => sum + count * of(costOf(name, costs)), 0);
  const atPeak = (ofDay: number) => (ofDay / DAY_SECONDS) * peak;
  const acts = day.reduce((sum, [, count]) => sum + count, 0);
  const cores = (micros: number) => Math.ceil(atPeak(micros) / 1e6 / usable);
  const platformCores = cores(total((cost) => cost.platformCpu));
  const frontDoorCores = cores(acts * INPUTS.throughFrontDoor * INPUTS.frontDoorCpu);
  const databaseCores = cores(total((cost) => cost.databaseCpu));
  const commits = atPeak(total((cost) => cost.commits));
  const walMb = atPeak(total((cost) => cost.walBytes)) / 1e6;
  const stateTb = (people * INPUTS.connectionsOfPerson * bytesOfConnection) / 1e12;
  const yearTb = (total((cost) => cost.databaseBytes) * YEAR_DAYS) / 1e12;
  const shares: Readonly<Record<string, number>> = {
    'CPU of PostgreSQL': databaseCores / primary.cores,
    transactions: commits / (primary.transactionsPerSecond * usable),
    'write-ahead log': walMb / (primary.walMbPerSecond * usable),
    disk: (stateTb + yearTb) / (primary.diskTb * usable),
  };
  const [[first, share]] = Object.entries(shares).sort(([, a], [, b]) => b - a) as [[string, number]];
  const diskGb = (stateTb + yearTb) * 1000;
  const month =
    (platformCores + frontDoorCores) * prices.platformCore +
    databaseCores * copies * prices.databaseCore +
    diskGb * (copies * prices.diskGb + prices.backupGb) +
    ((acts * MONTH_DAYS * INPUTS.wireBytes) / 1e9) * prices.trafficGb;
  return {
    ...{ people, acts: atPeak(acts), platformCores, frontDoorCores, databaseCores, commits, walMb },
    ...{ stateTb, yearTb, first: `${first} (${Math.round(share * 100)} % of one)` },
    ...{ primaries: Math.max(1, Math.ceil(share)), month },
  };
}

/** A run of `bench/scale.ts`. */
export interface Measured {
  readonly size: number;
  readonly readings: Readonly<Record<string, { readonly ms: number | null } | undefined>>;
  readonly bytes: Readonly<Record<string, number>>;
}

export interface Checked {
  readonly sizes: readonly number[];
  readonly bytesOfConnection: number;
  /** How far the size of the largest is from that foretold by the one before, as a part of it. */
  readonly sizeError: number;
  readonly operations: readonly {
    readonly name: string;
    readonly ms: readonly number[];
    readonly growth: number;
    readonly holds: boolean;
  }[];
}

/** What the plan reckons with; acts of an operator and on a whole service grow by their nature. */
const OPERATIONS = [
  'token',
  'one connection',
  'list, first page of 100',
  'list, middle, page after page',
  'list, a page by key cursor',
  'drain 500 changes',
  'drain 500 parked',
  'connect',
  'end one connection',
  'edit of a field, 1 live slot',
];
const GROWTH_MOST = 3;

/** @param measured from the smallest to the largest */
export function check(measured: readonly Measured[]): Checked {
  const bytesOf = ({ size, bytes }: Measured) => (bytes.database ?? Number.NaN) / size;
  const [before, last] = measured.slice(-2) as [Measured, Measured];
  return {
    sizes: measured.map(({ size }) => size),
    bytesOfConnection: bytesOf(last),
    sizeError: Math.abs(bytesOf(before) / bytesOf(last) - 1),
    operations: OPERATIONS.map((name) => {
      const ms = measured.map(({ readings }) => readings[name]?.ms ?? Number.NaN);
      const growth = (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN);
      return { name, ms, growth, holds: growth <= GROWTH_MOST };
    }),
  };
}
