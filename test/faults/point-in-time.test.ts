/** The commands of `docs/operating.md` bring a platform back as it was at a time, by PostgreSQL's own tools. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  connect,
  createField,
  createService,
  createWebhook,
  dataToken,
  registerCompany,
  registerPerson,
  sealed,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { engines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { openPlace } from '@symbolon/testkit/platform/places';
import { PlatformProcess } from '@symbolon/testkit/platform/process';
import { startPostgres } from '@symbolon/testkit/servers/postgres';
import { startReceiver } from '@symbolon/testkit/servers/receiver';
import { blocksOf } from '../docs/support/blocks.ts';
import { FAST } from './support/world.ts';

const skip = !engines.includes('postgres') && 'PostgreSQL not found';
/** Others do the work. */
const LOOK_MS = 20;

/** The blocks of the page that this file runs, in their order. */
const commands = blocksOf('docs/operating.md').filter(({ argument }) =>
  argument.includes('point-in-time.test.ts'),
);

test('the documented commands bring a platform back as it was at a time', { skip }, async () => {
  const [archive, copy, handOver, prepare, afterwards] = commands.map(({ text }) => text);
  assert.ok(archive && copy && handOver && prepare && afterwards && commands.length === 5);
  const postgres = await startPostgres({ durable: true });
  assert.ok(postgres);
  let takes = false;
  let heard: unknown[][] = [];
  const receiver = await startReceiver((_request, body, response) => {
    const { event, person_user_id, slug, at } = JSON.parse(body.toString());
    if (takes) heard.push([event, person_user_id, slug, at]);
    response.writeHead(takes ? 200 : 503).end();
  });
  try {
    const [WAL, BASE, NEW] = ['wal', 'base', 'new'].map((name) => join(postgres.folder, name)) as [
      string,
      string,
      string,
    ];
    await postgres.sh(archive, { WAL });
    await postgres.halt();
    await postgres.restart();
    await using place = await openPlace('sqlite', 'empty');
    await using platform = await PlatformProcess.create({
      ...place.environment,
      SYMBOLON_SECRET: randomBytes(32).toString('base64'),
      SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
      SYMBOLON_FAULTS_PACE: JSON.stringify(FAST),
      DATABASE_URL: postgres.url,
    });
    await platform.start();
    const service = await createService(platform, await registerCompany(platform), [
      { slug: 'city', label: 'City', type: 'text' },
    ]);
    const token = await dataToken(platform, service);
    const { id: webhook } = await createWebhook(platform, service, { url: receiver.url, auth_type: 'none' });
    /** What has waited for the receiver, once it takes it. */
    const allHeard = async () => {
      await eventually(
        'nothing waits for the receiver',
        async () => {
          const { webhooks } = await platform.must('GET', `/api/services/${service.id}/webhooks`, {
            token: service.company.token,
          });
          const { health, backlog } = webhooks.find(({ id }: { id: string }) => id === webhook);
          return (health === 'running' && backlog === 0) || undefined;
        },
        LOOK_MS,
      );
      const all = heard;
      heard = [];
      return all;
    };

    const ada = await arrive(platform, service, 'Ulm');
    await postgres.sh(copy, { BASE });
    // All that follows is in the log alone.
    await ada.moveTo('Bonn');
    const bob = await arrive(platform, service, 'Köln');
    const POINT = (await postgres.sh('psql -Atc "select clock_timestamp()"')).trim();

    const fetched = await drainAll(platform, '/api/company-data/changes', token);
    takes = true;
    const sent = await allHeard();
    assert.ok(fetched.length >= 3 && sent.length >= 3);
    await ada.moveTo('Kiel');
    await bob.leave();
    const carol = await arrive(platform, service, 'Trier');
    await postgres.sh('psql -c "truncate connections cascade"');
    assert.deepEqual(await citiesOf(platform, service, token), []);
    await platform.stop();

    await postgres.sh(handOver, { WAL });
    // Also where nothing was written since the log was handed over.
    await postgres.sh(handOver, { WAL });
    await postgres.sh(prepare, { WAL, BASE, NEW, POINT });
    await postgres.halt();
    heard = [];
    const restored = await postgres.startOn('new');
    await restored.sh(afterwards);
    platform.extra = { DATABASE_URL: restored.url };
    await platform.start();

    assert.deepEqual(await citiesOf(platform, service, token), ['Bonn', 'Köln']);
    const { status } = await platform.call('GET', '/api/person/connections', { token: carol.token });
    assert.equal(status, 401);
    // What waited then is fetched and sent again, and nothing of what came after.
    assert.deepEqual(await drainAll(platform, '/api/company-data/changes', token), fetched);
    assert.deepEqual(await allHeard(), sent);
    await ada.moveTo('Hamm');
    await bob.leave();
    await arrive(platform, service, 'Essen');
    assert.deepEqual(await citiesOf(platform, service, token), ['Essen', 'Hamm']);
  } finally {
    await receiver.stop();
    await postgres.stop();
  }
});

/** A person who connects, and what this person may do afterwards. */
async function arrive(platform: PlatformProcess, service: TestService, city: string) {
  const { token } = await registerPerson(platform);
  const field = await createField(platform, { token }, { type: 'text', slug: 'city', value: city });
  const connection_id = await connect(platform, { token }, service, { city: { field, value: city } });
  return {
    token,
    async moveTo(another: string) {
      const [value, copied] = [await sealed(another), await sealed(another)];
      const copies = [{ connection_id, request_field_id: service.rows.city, value: copied }];
      await platform.must('PUT', `/api/person/fields/${field}`, { token, body: { value, copies } });
    },
    leave: () => platform.must('DELETE', `/api/person/connections/${connection_id}`, { token }),
  };
}

/** What the service reads of all who are connected. */
async function citiesOf(platform: PlatformProcess, service: TestService, token: string): Promise<string[]> {
  const { items } = await platform.must('GET', '/api/company-data/connections', { token });
  const wrappers: string[] = items.map(
    (item: { values: { city: { value: string } } }) => item.values.city.value,
  );
  return (await Promise.all(wrappers.map((wrapper) => service.open(wrapper)))).sort();
}
