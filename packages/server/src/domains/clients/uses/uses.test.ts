import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createAccountClient,
  createDataClient,
  createService,
  registerCompany,
  type TestCompany,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { codeFor, createApp, exchange } from '@symbolon/testkit/actors/sign-ins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { statementsOf } from '@symbolon/testkit/platform/statements';

const MINUTE_MS = 60_000;

onEachEngine('the last use of clients', (platform) => {
  const uses = async (token: string) => {
    const { items } = await platform().must('GET', '/api/account/client-uses', { token });
    type Item = { client_id: string; kind: string; last_used_at: string | null };
    return new Map((items as Item[]).map((item) => [item.client_id, item]));
  };
  const usedAt = async ({ token }: TestCompany, clientId: string) =>
    (await uses(token)).get(clientId)?.last_used_at;
  const now = () => new Date(platform().clock.now()).toISOString();
  const withDataClient = async () => {
    const company = await registerCompany(platform());
    const client = await createDataClient(platform(), await createService(platform(), company));
    return { company, id: client.clientId, secret: client.clientSecret };
  };

  test('is none at first, and is that of every grant', async () => {
    const { company, id, secret } = await withDataClient();
    const app = await createApp(platform(), company);
    const before = await platform().call('GET', '/api/account/client-uses', { token: company.token });
    proves('route:GET /api/account/client-uses');
    assert.deepEqual(before.body, {
      items: [
        { client_id: app.clientId, kind: 'oauth_app', last_used_at: null },
        { client_id: id, kind: 'data_client', last_used_at: null },
      ],
    });
    await tokenFor(platform(), id, secret);
    const robot = await createAccountClient(platform(), company);
    assert.equal((await exchange(platform(), app, await codeFor(platform(), app))).status, 200);
    const found = await uses(company.token);
    assert.deepEqual(
      [id, robot.id, app.clientId].map((each) => found.get(each)),
      [
        { client_id: id, kind: 'data_client', last_used_at: now() },
        { client_id: robot.id, kind: 'account_client', last_used_at: now() },
        { client_id: app.clientId, kind: 'oauth_app', last_used_at: now() },
      ],
    );
  });

  test('is written once an hour, so most tokens cost no write', async () => {
    const { company, id, secret } = await withDataClient();
    const written = async () =>
      (await statementsOf(platform(), () => tokenFor(platform(), id, secret))).statements;
    const first = now();
    assert.equal(await written(), 1);
    platform().clock.advance(59 * MINUTE_MS);
    assert.equal(await written(), 0);
    assert.equal(await usedAt(company, id), first);
    platform().clock.advance(MINUTE_MS);
    assert.equal(await written(), 1);
    assert.equal(await usedAt(company, id), now());
  });

  test('is written by the next token when it could not be saved', async (t) => {
    const { company, id, secret } = await withDataClient();
    const { database } = platform().context;
    const failing = t.mock.method(database, 'write', async () => {
      throw new Error('The disk is full.');
    });
    await tokenFor(platform(), id, secret);
    failing.mock.restore();
    assert.equal(await usedAt(company, id), null);
    await tokenFor(platform(), id, secret);
    assert.equal(await usedAt(company, id), now());
  });

  test('is not what a wrong secret did', async () => {
    const { company, id } = await withDataClient();
    await assert.rejects(tokenFor(platform(), id, 'wrong'));
    assert.equal(await usedAt(company, id), null);
  });

  test('is seen by no other company', async () => {
    await withDataClient();
    assert.deepEqual([...(await uses((await registerCompany(platform())).token)).keys()], []);
  });

  test('of a client from before 0010 is not known until it is used, and goes with the client', async () => {
    const { company, id, secret } = await withDataClient();
    const app = await createApp(platform(), company);
    const robot = await createAccountClient(platform(), company);
    const { database } = platform().context;
    const kept = () =>
      database.reader
        .selectFrom('client_uses')
        .select('client_id')
        .where('company_id', '=', company.id)
        .execute();
    await database.write((writer) =>
      writer.deleteFrom('client_uses').where('company_id', '=', company.id).execute(),
    );
    assert.equal(await usedAt(company, id), undefined);
    platform().clock.advance(60 * MINUTE_MS);
    await tokenFor(platform(), id, secret);
    await tokenFor(platform(), robot.id, robot.secret);
    await exchange(platform(), app, await codeFor(platform(), app));
    assert.equal((await kept()).length, 3);
    const { token } = company;
    const [service] = (await platform().must('GET', '/api/services', { token })).items;
    await platform().must('DELETE', `/api/services/${service.id}/client`, { token });
    await platform().must('DELETE', `/api/account/clients/${robot.id}`, { token });
    await platform().must('DELETE', `/api/account/oauth-apps/${app.clientId}`, { token });
    assert.deepEqual(await kept(), []);
  });

  test('is not written while saving is paused, and the token is given', async () => {
    const { company, id, secret } = await withDataClient();
    const { database, maintenance } = platform().context;
    const pause = async (on: boolean) => {
      await database.write((writer) => maintenance.set(writer, 'writes_paused', on, null));
      await maintenance.apply();
    };
    await pause(true);
    try {
      await tokenFor(platform(), id, secret);
      assert.equal(await usedAt(company, id), null);
    } finally {
      await pause(false);
    }
  });
});
