import { setTimeout as pause } from 'node:timers/promises';
import { NOTICED_MS, RECOVERY_BAR_MS, RECOVERY_MOST_MS } from '@symbolon/testkit/limits';
import type { Random } from '@symbolon/testkit/platform/random';
import type { Engine } from '../../packages/server/src/db/database.ts';
import { clockFaults } from './faults/clocks.ts';
import { databaseFaults, endSessions } from './faults/databases.ts';
import type { ChaosFault } from './faults/fault.ts';
import { networkFaults } from './faults/networks.ts';
import { all, processFaults, startAgain } from './faults/processes.ts';
import { regionFaults } from './faults/regions.ts';
import type { Fault as Finding } from './model/judge.ts';
import type { World } from './world.ts';

export const chaosFaults: readonly ChaosFault[] = [
  ...processFaults,
  ...networkFaults,
  ...databaseFaults,
  ...clockFaults,
  ...regionFaults,
];

/** What became of one fault on one engine. */
export interface Round {
  readonly fault: string;
  readonly engine: Engine;
  /** Why it was not run. */
  readonly skipped?: string;
  /** Acts of people. */
  readonly done: number;
  readonly refused: number;
  readonly doubt: number;
  /** Events that came again, over feeds and webhooks. */
  readonly repeated: number;
  /** The longest time without a saved edit, from the beginning of the fault. */
  readonly gapMs: number;
  /** From the end of the fault to the first saved edit, and until every server had saved one. */
  readonly recoveredMs: number;
  readonly allRecoveredMs: number;
  /** How many answers there were of each kind that is no success. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly health: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
}

export interface Problem {
  readonly kind: string;
  readonly text: string;
}

export async function runRound(
  world: World,
  fault: ChaosFault,
  random: Random,
  seconds: number,
): Promise<Round> {
  const { engine } = world.installation;
  const skipped = fault.missing?.(world);
  if (skipped !== undefined) return { ...nothing(fault, engine), skipped };
  const before = counted(world);
  const fallsBefore = all(world).map(({ endings }) => endings.length);
  world.caller.mayHang = fault.freezes ?? false;
  const doomed = await world.addDoomedShop();
  world.start();
  await pause(400);
  const lasting = Math.max(seconds, fault.least ?? 0);
  let removed: Promise<void> | undefined;
  const { from, until } = await world.disturb(async () => {
    const running = fault.run(world, random, lasting);
    await pause(200);
    removed = world.removeShop(doomed);
    removed.catch(() => {});
    await running;
  }, fault.harmless);
  const problems: Problem[] = [];
  const recovered = await recovery(world, until, problems);
  await pause(300);
  await world.pause();
  await removed;
  const findings = await world.judge();
  world.caller.mayHang = false;
  const after = counted(world);
  problems.push(...unseen(world, findings));
  for (const { kind, text } of world.caller.wrong.splice(0)) problems.push({ kind, text });
  for (const [index, process] of all(world).entries()) {
    for (const fall of process.endings.slice(fallsBefore[index]))
      problems.push({ kind: 'ended', text: fall });
  }
  const samples = world.health.between(from, until);
  if (fault.stopsSaving) problems.push(...falseHealth(world, from, until));
  return {
    fault: fault.name,
    engine,
    done: after.done - before.done,
    refused: after.refused - before.refused,
    doubt: after.doubt - before.doubt,
    repeated: after.repeated - before.repeated,
    gapMs: longestGap(world, from, until),
    ...recovered,
    refusals: difference(after.refusals, before.refusals),
    health: tally(samples.map(({ code, status }) => `${code} ${status}`)),
    problems,
  };
}

async function recovery(world: World, until: number, problems: Problem[]) {
  const servers = world.installation.servers.length;
  let [recoveredMs, allRecoveredMs] = [Number.NaN, Number.NaN];
  while (Number.isNaN(allRecoveredMs)) {
    const first = world.acknowledged.filter(({ at }) => at >= until);
    if (Number.isNaN(recoveredMs) && first[0] !== undefined) recoveredMs = first[0].at - until;
    const well = Array.from(
      { length: servers },
      (_, server) => first.find((one) => one.server === server)?.at,
    );
    if (well.every((at) => at !== undefined)) allRecoveredMs = Math.max(...(well as number[])) - until;
    else if (performance.now() - until > RECOVERY_MOST_MS) {
      problems.push({ kind: 'no recovery', text: 'needed a restart by hand' });
      await world.disturb(() => stepIn(world));
      break;
    }
    await pause(20);
  }
  if (!(allRecoveredMs <= RECOVERY_BAR_MS)) {
    problems.push({
      kind: 'slow recovery',
      text: `first edit ${Math.round(recoveredMs)} ms, on every server ${Math.round(allRecoveredMs)} ms after`,
    });
  }
  return { recoveredMs, allRecoveredMs };
}

/** What an operator would do at last: all sessions of the database are ended, all processes are started again. */
async function stepIn(world: World): Promise<void> {
  await endSessions(world);
  for (const process of all(world)) {
    await process.kill();
    await startAgain(process);
  }
}

/** Each finding is reported in the round in which it appears. */
function unseen(world: World, findings: readonly Finding[]): Finding[] {
  const fresh = findings.filter(({ text }) => !world.told.has(text));
  for (const { text } of fresh) world.told.add(text);
  return fresh;
}

/** Samples of a server that said `ok` after seconds in which every save failed. */
function falseHealth(world: World, from: number, until: number): Problem[] {
  const saved = world.acknowledged.filter(({ at }) => at >= from && at <= until).map(({ at }) => at);
  const stoppedAt = Math.max(from, ...saved);
  const wrong = world.health
    .between(stoppedAt + NOTICED_MS, until)
    .filter(({ code, status }) => code === 200 && status === 'ok');
  if (wrong.length === 0) return [];
  return [
    { kind: 'false health', text: `${wrong.length} times ok, though nothing was saved for ${NOTICED_MS} ms` },
  ];
}

function longestGap(world: World, from: number, until: number): number {
  const moments = world.acknowledged.map(({ at }) => at).filter((at) => at >= from);
  const end = moments.find((at) => at >= until) ?? until;
  const inside = [from, ...moments.filter((at) => at <= end), end];
  return Math.max(...inside.map((at, index) => at - (inside[index - 1] ?? at)));
}

function counted(world: World) {
  const sum = (of: 'done' | 'refused' | 'doubt') =>
    world.persons.reduce((total, { counts }) => total + counts[of], 0);
  const repeated =
    [...world.feeds.values()].reduce((total, feed) => total + feed.repeated, 0) +
    [...world.receivers.values()].reduce((total, one) => total + one.judge(() => true).repeated, 0);
  return {
    done: sum('done'),
    refused: sum('refused'),
    doubt: sum('doubt'),
    repeated,
    refusals: new Map(world.caller.refusals),
  };
}

function difference(after: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>) {
  return Object.fromEntries(
    [...after]
      .map(([key, count]) => [key, count - (before.get(key) ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
}

function tally(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

function nothing(fault: ChaosFault, engine: Engine) {
  return {
    fault: fault.name,
    engine,
    ...{ done: 0, refused: 0, doubt: 0, repeated: 0, gapMs: 0, recoveredMs: 0, allRecoveredMs: 0 },
    refusals: {},
    health: {},
    problems: [],
  };
}
