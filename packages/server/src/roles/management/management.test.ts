import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Event } from '@symbolon/protocol';
import {
  createService,
  createWebhook,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { keptLog } from '@symbolon/testkit/platform/kept-log';
import { makeReadOnly } from '@symbolon/testkit/platform/outages';
import { onEachEngine, startPlatform } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { readConfig } from '../../core/config.ts';
import { instrumentTable, prometheusName } from '../../core/instrument-table.ts';
import { openManagement } from './index.ts';

const management = readConfig({ SYMBOLON_MANAGEMENT_ADDRESS: '127.0.0.1:0' }).management;

async function ask(url: string | undefined, path: string, method = 'GET') {
  const response = await fetch(`${url}${path}`, { method });
  return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
}

test('probes are answered from the start to the end of a process', async () => {
  const { log } = keptLog();
  const opened = await openManagement(management, log);
  const status = async (path: string) => {
    const { status, body } = await ask(opened.url, path);
    return [status, body.status];
  };
  assert.deepEqual(await status('/livez'), [200, 'live']);
  assert.deepEqual(await status('/readyz'), [503, 'starting']);
  await using platform = await startPlatform('sqlite');
  opened.serves(platform.context);
  await eventually('ready', async () => ((await status('/readyz'))[0] === 200 ? true : undefined));
  assert.deepEqual(await status('/readyz'), [200, 'ready']);
  opened.stopping();
  assert.deepEqual(await status('/readyz'), [503, 'stopping']);
  assert.deepEqual(await status('/livez'), [200, 'live']);
  assert.equal((await ask(opened.url, '/toString')).status, 404);
  assert.equal((await ask(opened.url, '/livez', 'POST')).status, 405);
  await opened.stop();
  await assert.rejects(fetch(`${opened.url}/livez`));
});

test('the usual address may be taken, any other may not', async () => {
  const { log, matching } = keptLog();
  const opened = await openManagement(management, log);
  const address = { host: '127.0.0.1', port: Number(new URL(opened.url ?? '').port) };
  await assert.rejects(openManagement({ ...management, address }, log), { name: 'ConfigError' });
  const second = await openManagement({ ...management, address, isUsual: true }, log);
  assert.equal(second.url, undefined);
  assert.equal(matching(/another process answers/).length, 1);
  await opened.stop();
});

/** The series of a text in the format of Prometheus: their names, and the values of their labels. */
function seriesIn(text: string): { name: string; labels: Record<string, string> }[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', inner = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? assert.fail(line);
      const labels = [...inner.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]);
      return { name, labels: Object.fromEntries(labels) };
    });
}

onEachEngine('metrics', (platform) => {
  test('each has its help and no label but its own, and none holds a company, a person, an address or a path', async () => {
    const { log } = keptLog();
    const opened = await openManagement(management, log);
    opened.serves(platform().context);
    const read = async () => (await fetch(`${opened.url}/metrics`)).text();
    await read();
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    const person = await registerPerson(platform());
    const url = 'https://receiver.example/hook';
    const webhook = await createWebhook(platform(), service, { url, auth_type: 'none' });
    await raise(platform(), service, await insertCustomer(platform(), service), Event.connectionCreated);
    await platform().call('GET', `/api/services/${service.id}`);
    await platform().call('GET', `/api/services/${service.id}/secret-page`);
    const text = await read();
    await opened.stop();
    const series = seriesIn(text);
    const shown = new Set(series.map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, '')));
    for (const [name, row] of Object.entries(instrumentTable)) {
      const own = prometheusName(name, row.kind);
      const labels = new Set(Object.keys(row.labels).map((label) => label.replaceAll('.', '_')));
      for (const one of series.filter((each) => each.name.replace(/_(?:bucket|sum|count)$/, '') === own)) {
        const others = Object.keys(one.labels).filter((label) => label !== 'le' && !labels.has(label));
        assert.deepEqual(others, [], one.name);
      }
      shown.delete(own);
      if (text.includes(`# TYPE ${own} `)) assert.ok(text.includes(`# HELP ${own} ${row.help}\n`), own);
    }
    assert.deepEqual([...shown], [], 'all are in the table');
    const values = series.flatMap(({ labels }) => Object.values(labels)).join('\n');
    assert.match(values, /^\/api\/services\/:id$/m);
    for (const secret of [
      company.id,
      company.email,
      service.id,
      person.email,
      webhook.id,
      'secret-page',
      url,
    ])
      assert.ok(!values.includes(secret), secret);
    for (const name of [
      'feed_events',
      'webhooks_events',
      'jobs_waiting',
      'jobs_oldest_age',
      'check',
      'disk_free',
    ])
      assert.match(text, new RegExp(`^symbolon_${name}(?:\\{.*\\})? \\d`, 'm'), name);
    const engines = {
      sqlite: 'symbolon_db_commit_size_count',
      postgres: 'symbolon_db_pool_waiting{pool="calls"}',
    };
    assert.ok(text.includes(`${engines[platform().engine]} `));
  });
});

onEachEngine('readiness', (platform) => {
  test('a database that takes no writes, though it takes reads, is not ready, with the reason', async () => {
    const { log } = keptLog();
    const opened = await openManagement(management, log);
    opened.serves(platform().context);
    const end = await makeReadOnly(platform());
    // A check may have met a connection that was ended on the way.
    const { status, body } = await eventually(
      'the database is said to take no writes, and reads go on',
      async () => {
        const answer = await ask(opened.url, '/readyz');
        const { database, migrations } = answer.body.checks;
        return /it takes no writes/.test(database.detail ?? '') && migrations.state === 'ok'
          ? answer
          : undefined;
      },
      20,
    );
    await end();
    await opened.stop();
    assert.deepEqual([status, body.status], [503, 'not_ready']);
    assert.equal(body.checks.database.state, 'failed');
  });
});
