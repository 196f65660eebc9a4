/**
 * Runs of flows whose processes are killed at any moment, on both engines, and a model that knows what was acknowledged: no
 * answer is lost or mixed, no turn half-opened, no document made twice, and each turn and end is delivered once.
 *
 * A seed that failed (when processes are killed is decided again; how they interleave is not):
 *   SYMBOLON_FAULT_SEED=12345 node scripts/test.ts test/faults/flow-runs.test.ts
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { FlowRun } from '@symbolon/protocol';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import { bytesIn, digestOf } from '@symbolon/testkit/actors/contracts';
import { bundle, publishPackage } from '@symbolon/testkit/actors/flow-documents';
import { leaseContract } from '@symbolon/testkit/actors/flow-packages';
import { leaf, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { SERVES_MOST_MS } from '@symbolon/testkit/limits';
import type { Answer, Callable } from '@symbolon/testkit/platform/calls';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { engineOrAll } from '@symbolon/testkit/platform/engines';
import { openPlace } from '@symbolon/testkit/platform/places';
import { PlatformProcess } from '@symbolon/testkit/platform/process';
import { Random } from '@symbolon/testkit/platform/random';
import { rounds } from '@symbolon/testkit/thoroughness';
import type { Engine } from '../../packages/server/src/db/database.ts';
import { checkRun, type KnownRun, knownRun } from './support/run-model.ts';

const DRIVERS = 3;
/** Of all processes together. */
const KILLS = rounds(2, 4);
/** How often a client asks in vain, with a pause after each time. A slow machine answers later, so that this takes longer. */
const ATTEMPTS_MOST = 3000;
const ABANDONED = new Error('Another part of the test has failed.');

for (const engine of engineOrAll('sqlite')) {
  test(`runs that are killed at any moment go on where they stood (${engine})`, async (t) => {
    const seed = Number(process.env.SYMBOLON_FAULT_SEED ?? 1);
    const servers = await serveMany(t, engine);
    try {
      const world = await createWorld(servers, new Random(seed));
      const killing = killAtRandom(servers, world).finally(() => {
        world.goesOn = false;
      });
      const lives = world.people.map(async (person) => {
        do await live(world, person);
        while (world.goesOn);
      });
      const all = [killing, ...lives];
      await Promise.all(all).catch(() => {
        world.isAbandoned = true;
      });
      // When one has failed, the others end before their processes do.
      for (const { reason } of (await Promise.allSettled(all)).filter((each) => each.status === 'rejected'))
        if (reason !== ABANDONED) throw reason;
      t.diagnostic(`seed ${seed}: ${await judge(world)}`);
    } catch (error) {
      const endings = servers.flatMap((server) => server.endings);
      throw new Error([`Seed ${seed}: ${(error as Error).message}`, ...endings].join('\n'), { cause: error });
    }
  });
}

interface World {
  readonly platforms: readonly Callable[];
  readonly random: Random;
  readonly company: Awaited<ReturnType<typeof registerCompany>>;
  readonly serviceId: string;
  readonly token: string;
  readonly flowId: string;
  readonly people: readonly (TestPerson & { readonly connectionId: string })[];
  readonly known: Map<string, KnownRun>;
  goesOn: boolean;
  isAbandoned: boolean;
  /** Calls of which it is not known what became of them. */
  unheard: number;
  /** Starts among them: each may have made a run. */
  unheardStarts: number;
}

async function serveMany(t: TestContext, engine: Engine) {
  const place = await openPlace(engine);
  const servers: PlatformProcess[] = [];
  t.after(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await place[Symbol.asyncDispose]();
  });
  const shared = { ...place.environment, SYMBOLON_SECRET: randomBytes(32).toString('base64') };
  for (const name of engine === 'postgres' ? ['first', 'second'] : ['first'])
    servers.push(await PlatformProcess.create({ ...shared, SYMBOLON_INSTANCE: name }));
  await Promise.all(servers.map((server) => server.start()));
  return servers;
}

async function createWorld(platforms: readonly Callable[], random: Random): Promise<World> {
  const [platform] = platforms as [Callable];
  const company = await registerCompany(platform);
  const service = await createService(platform, company);
  const definition = structuredClone(leaseContract.definition);
  // Accepting needs no proof.
  for (const output of definition.nodes.flatMap(({ outputs = [] }) => outputs))
    output.signers = output.signers.map(({ party }) => ({ party, accept: true }));
  const flowId = await publishPackage(platform, service, { ...leaseContract, definition });
  const people = [];
  for (let index = 0; index < DRIVERS; index++) {
    const person = await registerPerson(platform);
    people.push({ ...person, connectionId: await connect(platform, person, service) });
  }
  const token = await dataToken(platform, service);
  await drainAll(platform, '/api/company-data/changes', token);
  const known = new Map<string, KnownRun>();
  const began = { goesOn: true, isAbandoned: false, unheard: 0, unheardStarts: 0 };
  return { platforms, random, company, serviceId: service.id, token, flowId, people, known, ...began };
}

async function killAtRandom(servers: readonly PlatformProcess[], world: World): Promise<void> {
  await Promise.all(
    servers.map(async (server, index) => {
      const random = world.random.fork();
      for (let kill = 0; kill < KILLS / servers.length && !world.isAbandoned; kill++) {
        await pause(random.whole(0, SERVES_MOST_MS));
        await server.kill();
        await server.start();
        // Other processes go on meanwhile, so that each run is read at once.
        await checkAll(world, world.platforms[index] as Callable);
      }
    }),
  );
}

/** The stages of all runs as they are known before a read. */
const stagesOf = ({ known }: World) => new Map([...known].map(([id, { stage }]) => [id, stage]));

/** Reads and checks all runs. Others go on meanwhile. */
async function checkAll(world: World, platform: Callable): Promise<FlowRun[]> {
  const stages = stagesOf(world);
  const runs: FlowRun[] = (
    await platform.must('GET', '/api/company-data/flow-runs?limit=200', { token: world.token })
  ).items;
  for (const run of runs) await check(world, run, stages);
  return runs;
}

async function check({ known }: World, run: FlowRun, stages: ReturnType<typeof stagesOf>): Promise<void> {
  await checkRun(known.get(run.id) ?? knownRun(run.id), run, stages.get(run.id) ?? 0);
}

/** Asks a process that is picked at random until one answers. */
async function ask(world: World, ask: (platform: Callable) => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; attempt < ATTEMPTS_MOST; attempt++) {
    const answer = await once(world, ask);
    if (answer !== undefined) return answer;
  }
  throw new Error('The platform answers nothing.');
}

/** @returns undefined when it is not known what became of it */
async function once(world: World, ask: (platform: Callable) => Promise<Answer>): Promise<Answer | undefined> {
  if (world.isAbandoned) throw ABANDONED;
  try {
    const answer = await ask(world.random.pick(world.platforms));
    if (answer.status !== 503) return answer;
  } catch {}
  world.unheard++;
  await pause(world.random.whole(10, 50));
  return undefined;
}

/** One run from its start to its sealed document. */
async function live(world: World, person: World['people'][number]): Promise<void> {
  const run = await begin(world, person);
  const known = world.known.get(run.id) as KnownRun;
  const ofPerson = { path: `/api/person/flow-runs/${run.id}`, token: person.token };
  const ofCompany = { path: `/api/company-data/flow-runs/${run.id}`, token: world.token };
  const answer = (
    of: typeof ofPerson,
    slugs: readonly string[],
    route: ReturnType<typeof to> | typeof leaf,
  ) => answerStep(world, { known, run, of, slugs, route });
  await answer(ofPerson, ['tenant_name', 'move_in'], to('offer', 'landlord'));
  await answer(ofCompany, ['landlord_name', 'rent'], leaf);

  const { body: made } = await succeed(world, (platform) =>
    platform.call('POST', `${ofCompany.path}/generate`, {
      token: world.token,
      body: bundle({ tenant_name: 'Ada', move_in: '2027-01-01', landlord_name: 'Grace', rent: '900' }),
    }),
  );
  const ids = made.documents.map(({ document_id }: { document_id: string }) => document_id);
  known.documents ??= ids.join(' ');
  assert.equal(known.documents, ids.join(' '), `run ${run.id}: generated twice`);

  const file = await succeed(world, (platform) =>
    platform.call('GET', `${ofCompany.path}/documents/lease/file`, { token: world.token }),
  );
  const pdf = await bytesIn(file.body);
  const accept = (path: string, token: string) =>
    succeed(world, (platform) =>
      platform.call('POST', `${path}/accept`, {
        token,
        body: { content_sha256: digestOf(pdf), pdf: Buffer.from(pdf).toString('base64') },
      }),
    );
  await accept(`/api/person/documents/${ids[0]}`, person.token);
  const ofOwner = `/api/services/${world.serviceId}/flows/${world.flowId}/runs/${run.id}`;
  await accept(`${ofOwner}/documents/${ids[1]}`, world.company.token);
  for (const { path, token } of [ofPerson, ofCompany]) {
    const stages = stagesOf(world);
    const read = await succeed(world, (platform) => platform.call('GET', path, { token }));
    await check(world, read.body, stages);
    assert.equal(read.body.status, 'completed');
  }
}

async function succeed(world: World, call: (platform: Callable) => Promise<Answer>): Promise<Answer> {
  const answer = await ask(world, call);
  assert.equal(answer.status, 200, answer.text.slice(0, 500));
  return answer;
}

async function begin(world: World, person: World['people'][number]): Promise<FlowRun> {
  for (let attempt = 0; attempt < ATTEMPTS_MOST; attempt++) {
    const answer = await once(world, (platform) =>
      platform.call('POST', `/api/company-data/flows/${world.flowId}/runs`, {
        token: world.token,
        body: {
          target: { connection_id: person.connectionId },
          bindings: { tenant: person.id, landlord: world.company.id },
        },
      }),
    );
    if (answer === undefined) {
      world.unheardStarts++;
      continue;
    }
    assert.equal(answer.status, 201, answer.text);
    world.known.set(answer.body.id, knownRun(answer.body.id));
    return answer.body;
  }
  throw new Error('The platform starts no run.');
}

/** Two devices submit different answers at once, again and again until one has heard that there is an answer. */
async function answerStep(
  world: World,
  {
    known,
    run,
    of,
    slugs,
    route,
  }: {
    known: KnownRun;
    run: FlowRun;
    of: { readonly path: string; readonly token: string };
    slugs: readonly string[];
    route: ReturnType<typeof to> | typeof leaf;
  },
): Promise<void> {
  const attempt = async () => {
    const text = randomBytes(6).toString('hex');
    for (const slug of slugs) known.sent.set(slug, new Set([...(known.sent.get(slug) ?? []), text]));
    const stages = stagesOf(world);
    const body = await submitOf(run, Object.fromEntries(slugs.map((slug) => [slug, text])), route);
    const answer = await once(world, (platform) =>
      platform.call('POST', `${of.path}/answers`, { token: of.token, body }),
    );
    if (answer === undefined) return false;
    assert.equal(answer.status, 200, answer.text.slice(0, 500));
    await check(world, answer.body, stages);
    return true;
  };
  for (let times = 0; times < ATTEMPTS_MOST; times++)
    if ((await Promise.all([attempt(), attempt()])).includes(true)) return;
  throw new Error('The platform takes no answer.');
}

/** Compares what is stored and was delivered with what was acknowledged. */
async function judge(world: World): Promise<string> {
  const { known, platforms, token } = world;
  const [platform] = platforms as [Callable];
  const runs = await checkAll(world, platform);
  const orphans = runs.filter(({ id }) => !known.has(id));
  assert.ok(orphans.length <= world.unheardStarts, `${orphans.length} runs without a start`);
  for (const [status, count] of [
    ['completed', known.size],
    ['awaiting_tenant', orphans.length],
  ] as const) {
    const { total } = await platform.must('GET', `/api/company-data/flow-runs?status=${status}`, { token });
    assert.equal(total, count, status);
  }
  const documents = await platform.must('GET', '/api/company-data/documents?limit=200', { token });
  assert.equal(documents.items.length, known.size, 'one document for each person and run');

  const told = Map.groupBy(
    await drainAll(platform, '/api/company-data/changes', token),
    ({ flow_run_id }) => flow_run_id,
  );
  for (const { id } of runs)
    assert.deepEqual(
      told.get(id)?.map(({ event, awaiting_party = null }) => [event, awaiting_party]),
      known.has(id)
        ? [
            ['flow_run_turn', 'tenant'],
            ['flow_run_turn', 'landlord'],
            ['flow_completed', null],
          ]
        : [['flow_run_turn', 'tenant']],
      `run ${id}`,
    );
  return `${known.size} runs, ${world.unheard} calls without an answer, ${orphans.length} runs without an acknowledgement`;
}
