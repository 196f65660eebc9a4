/** Two processes behind nginx as `deploy/nginx.conf` has it: one restarts after the other while calls go on. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { freePort } from '@symbolon/testkit/platform/address';
import { PlatformAt } from '@symbolon/testkit/platform/calls';
import { engines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { OPERATOR, openPlace } from '@symbolon/testkit/platform/places';
import { PlatformProcess } from '@symbolon/testkit/platform/process';
import { startDeployedNginx } from '@symbolon/testkit/servers/proxies';
import { isAtLength } from '@symbolon/testkit/thoroughness';
import { without } from '@symbolon/testkit/tools';

const CALLERS = 8;
/** Answers of callers between two events: each kept connection has been used by then. */
const ANSWERS = 200;
/** Longer than nginx keeps away from a process that was not there (fail_timeout): else it can know of none. */
const DRAIN_SECONDS = '3';

const ROUNDS = 3;

const skip =
  (!isAtLength && 'with --all') || (engines.includes('postgres') ? without('nginx') : 'PostgreSQL not found');

test('processes that restart one after the other fail no call', { skip }, async () => {
  await using place = await openPlace('postgres');
  const shared = {
    ...place.environment,
    SYMBOLON_SECRET: randomBytes(32).toString('base64'),
    SYMBOLON_TRUST_PROXY: '1',
    SYMBOLON_DRAIN_SECONDS: DRAIN_SECONDS,
  };
  const create = async (name: string) => {
    const probes = `127.0.0.1:${await freePort()}`;
    const environment = { ...shared, SYMBOLON_MANAGEMENT_ADDRESS: probes, SYMBOLON_INSTANCE: name };
    return { process: await PlatformProcess.create(environment), probes: new PlatformAt(`http://${probes}`) };
  };
  const [first, second] = [await create('first'), await create('second')];
  await using one = first.process;
  await using other = second.process;
  await Promise.all([one.start(), other.start()]);
  const nginx = await startDeployedNginx([one.url, other.url]);
  try {
    const traffic = await Traffic.start(new PlatformAt(nginx.url));
    for (let round = 0; round < ROUNDS; round++) {
      for (const { process, probes } of [first, second]) {
        await traffic.answers();
        const stopped = process.stop();
        await eventually('it says that it stops, and serves', async () => {
          const { status, body } = await probes.call('GET', '/readyz');
          assert.equal((await process.call('GET', '/api/health')).status, 200);
          return (status === 503 && body.status === 'stopping') || undefined;
        });
        await stopped;
        assert.equal(process.exitCode, 0, process.lines.join('\n'));
        await traffic.answers();
        await process.start();
        await eventually('it is ready', async () => {
          return (await probes.call('GET', '/readyz')).status === 200 || undefined;
        });
      }
    }
    await traffic.answers();
    assert.deepEqual(await traffic.stop(), []);
  } finally {
    await nginx.stop();
  }
});

/** Callers of one address who read and write the same again and again, without ever asking twice. */
class Traffic {
  readonly #failures: string[] = [];
  #answered = 0;
  #goesOn = true;
  #callers: Promise<void>[] = [];

  static async start(platform: PlatformAt): Promise<Traffic> {
    const { id, token } = await registerCompany(platform);
    const traffic = new Traffic();
    const calls = [
      () => platform.call('GET', '/api/services', { token }),
      () =>
        platform.call('PUT', `/api/admin/companies/${id}/messaging`, {
          token: OPERATOR,
          body: { messages: true, broadcasts: true },
        }),
    ];
    traffic.#callers = Array.from({ length: CALLERS }, (_, index) =>
      traffic.#callOn(calls[index % calls.length] ?? assert.fail()),
    );
    return traffic;
  }

  /** Resolves when so many more calls are answered. */
  async answers(): Promise<void> {
    const until = this.#answered + ANSWERS;
    await eventually('calls are answered', () => this.#answered >= until || undefined);
  }

  /** @returns what failed */
  async stop(): Promise<readonly string[]> {
    this.#goesOn = false;
    await Promise.all(this.#callers);
    return this.#failures;
  }

  async #callOn(call: () => ReturnType<PlatformAt['call']>): Promise<void> {
    while (this.#goesOn) {
      try {
        const { status, text } = await call();
        if (status >= 300) this.#failures.push(`${status} ${text}`);
      } catch (error) {
        this.#failures.push(String(error));
      }
      this.#answered++;
    }
  }
}
