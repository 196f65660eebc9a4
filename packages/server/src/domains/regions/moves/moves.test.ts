import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Event } from '@symbolon/protocol';
import {
  connect,
  createAccountClient,
  createField,
  createService,
  registerCompany,
  registerPerson,
  sealed,
  type TestCompany,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { addDelegate, WRONG_SECRET } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { OPERATOR, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { type TestRegions, withRegionsOnEachEngine } from '@symbolon/testkit/platform/regions';
import { dataUri, imageOf } from '../../profile/photos/testing/images.ts';
import { countsOf, fill, finish, rowsOf, triggersOf } from './testing/moved.ts';

const NAMES = ['eu', 'us', 'ap'];
const ENVIRONMENT = {
  SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
};

withRegionsOnEachEngine(
  'moving a company',
  NAMES,
  (regions) => {
    const eu = () => regions().region('eu');
    const us = () => regions().region('us');
    const ap = () => regions().region('ap');

    test('a move brings every row in order and leaves a card', async () => {
      const { company, service, account, client, webhook, field, person, connections } = await populated(
        regions(),
      );
      const before = await rowsOf(eu(), company.id);
      assert.deepEqual(
        Object.keys(before).filter((table) => before[table]?.length === 0),
        ['company_deletions'],
        'every other table has rows',
      );
      const move = await start(eu(), company.id, 'us');
      assert.deepEqual([move.state, move.from, move.to], ['copying', 'eu', 'us']);
      await run(eu());
      assert.equal((await stateOf(eu(), move.id)).state, 'switched');

      const after = await rowsOf(us(), company.id);
      const added = (after.audit_log ?? []).filter((row) => !before.audit_log?.includes(row));
      assert.deepEqual(
        added.map((row) => JSON.parse(row)[0]),
        ['company.move_asked', 'company.moved_in'],
      );
      for (const table of Object.keys(before)) {
        if (table !== 'audit_log') assert.deepEqual(after[table], before[table], table);
      }
      for (const row of before.audit_log ?? []) assert.ok(after.audit_log?.includes(row));

      // The same events are parked, although their places are new.
      const parked = await us()
        .context.database.reader.selectFrom('webhook_events')
        .innerJoin('webhooks', 'webhooks.id', 'webhook_events.webhook_id')
        .select(['webhook_events.payload'])
        .where('webhooks.id', '=', webhook)
        .whereRef('webhook_events.seq', '<=', 'webhooks.parked_through')
        .orderBy('webhook_events.seq')
        .execute();
      assert.deepEqual(
        parked.map((row) => JSON.parse(row.payload).n),
        [1, 2],
      );

      // Every region and the directory know the new home.
      await regions().settle();
      for (const [platform, home] of [
        [eu(), 'us'],
        [us(), null],
        [ap(), 'us'],
      ] as const) {
        const { region } = await platform.context.database.reader
          .selectFrom('companies')
          .select('region')
          .where('id', '=', company.id)
          .executeTakeFirstOrThrow();
        assert.equal(region, home);
      }
      assert.equal(await regions().frontDoor.directory.homeOf({ kind: 'company', id: company.id }), 'us');

      // Calls with sessions and tokens are sent to the new home; the session works there.
      const url = us().url;
      const sentOn = await eu().call('GET', '/api/account', { token: company.token });
      assert.deepEqual([sentOn.status, sentOn.body.api_url], [421, url]);
      assert.equal(
        (await us().must('GET', '/api/account', { token: company.token })).company_user_id,
        company.id,
      );
      for (const token of [client.token, account.token]) {
        const refused = await eu().call('GET', '/api/contact-field-types', { token });
        assert.deepEqual([refused.status, refused.body.api_url], [421, url]);
      }
      const fresh = await tokenFor(us(), client.id, client.secret);
      const { changes } = await us().must('GET', '/api/company-data/changes', { token: fresh });
      assert.deepEqual(
        changes.map((change: { event: string }) => change.event),
        ['connection_created', 'connection_created', 'document_created', 'document_created'],
      );

      // The photo has its bytes there.
      const [photo] = (await us().must('GET', '/api/photos', { token: company.token })).photos;
      assert.ok(photo);
      const bytes = await fetch(`${us().url}/api/photos/${photo.id}/file`, {
        headers: { authorization: `Bearer ${company.token}` },
      });
      assert.equal(bytes.status, 200);

      // A person at home in the old region edits, and the new value arrives.
      const slots = await eu().must('GET', `/api/person/fields/${field}/slots`, { token: person.token });
      assert.equal(slots.slots.length, 1);
      await eu().must('PUT', `/api/person/fields/${field}`, {
        token: person.token,
        body: {
          value: await sealed('v2'),
          copies: [
            {
              connection_id: slots.slots[0].connection_id,
              request_field_id: slots.slots[0].request_field_id,
              value: await sealed('v2'),
            },
          ],
        },
      });
      await regions().settle();
      const slot = await us()
        .context.database.reader.selectFrom('slot_values')
        .selectAll()
        .where('connection_id', '=', connections[0] ?? '')
        .where('live', '=', 1)
        .executeTakeFirstOrThrow();
      assert.equal(await service.open(slot.value ?? ''), 'v2');

      // The person's home asks whether the slot still exists: it does.
      regions().clock.advance(20 * 60_000);
      assert.equal(await eu().context.slotCheck.run(new AbortController().signal), 0);
      const registered = await eu()
        .context.database.reader.selectFrom('remote_slots')
        .select(['registration', 'field_version'])
        .where('company_id', '=', company.id)
        .execute();
      assert.deepEqual(registered, [{ registration: slot.registration, field_version: slot.field_version }]);
      assert.equal(slots.slots[0].withheld, false, 'the move kept which value the slot has');

      // In the end only the card and the record of the move are left.
      const { companyMoves } = eu().context;
      assert.ok(companyMoves);
      await finish(
        regions(),
        companyMoves.moveSource,
        async () => (await stateOf(eu(), move.id)).state === 'done',
      );
      assert.deepEqual(Object.keys(await countsOf(eu(), company.id)).sort(), ['companies', 'share_codes']);
      assert.deepEqual(await triggersOf(eu(), move.id), []);
      const keys = await eu().must('GET', '/api/admin/keys', { token: OPERATOR });
      assert.deepEqual(
        keys.versions.map(({ version }: { version: number }) => version),
        [1],
        'a card has no encrypted text',
      );
      const acts = await eu().must('GET', '/api/admin/acts', { token: OPERATOR });
      proves('state:move.copying-done');
      assert.deepEqual(acts.items.map(({ act }: { act: string }) => act).slice(0, 2), [
        'company.moved',
        'company.move_asked',
      ]);
    });

    test('a company that moves through three regions and back keeps its rows', async () => {
      const { company, person, field } = await populated(regions());
      const before = await rowsOf(eu(), company.id);
      for (const [from, to] of [
        [eu(), 'us'],
        [us(), 'ap'],
        [ap(), 'eu'],
      ] as const) {
        const move = await start(from, company.id, to);
        const { companyMoves } = from.context;
        assert.ok(companyMoves);
        await finish(
          regions(),
          companyMoves.moveSource,
          async () => (await stateOf(from, move.id)).state === 'done',
        );
      }
      const after = await rowsOf(eu(), company.id);
      const still = ['slot_values', 'connections', 'webhook_events', 'clients', 'photos', 'request_fields'];
      for (const table of still) assert.deepEqual(after[table], before[table], table);
      const slots = await eu().must('GET', `/api/person/fields/${field}/slots`, { token: person.token });
      assert.equal(slots.slots.length, 1);
      const remote = await eu().context.database.reader.selectFrom('remote_slots').selectAll().execute();
      assert.deepEqual(
        remote.filter((slot) => slot.company_id === company.id),
        [],
      );
    });

    test('a move that is not possible is refused', async () => {
      const company = await registerCompany(eu());
      const path = `/api/admin/companies/${company.id}/moves`;
      const refused = async (platform: TestPlatform, url: string, body: object, expected: unknown[]) => {
        const answer = await platform.call('POST', url, { token: OPERATOR, body });
        assert.deepEqual([answer.status, answer.body.error_key], expected);
      };
      await refused(eu(), path, { region: 'mars' }, [400, 'moves.region_unknown']);
      await refused(eu(), path, { region: 'eu' }, [409, 'moves.same_region']);
      await refused(eu(), '/api/admin/companies/nobody/moves', { region: 'us' }, [
        404,
        'admin.company_not_found',
      ]);
      await regions().settle();
      await refused(us(), path, { region: 'ap' }, [421, 'region.rebase_required']);
      const move = await start(eu(), company.id, 'us');
      await refused(eu(), path, { region: 'ap' }, [409, 'moves.under_way']);
      await refused(eu(), '/api/admin/moves/nothing/undo', {}, [404, 'moves.not_found']);
      await run(eu());
      proves(
        'error:moves.not_found',
        'error:moves.past_undo',
        'error:moves.region_unknown',
        'error:moves.same_region',
        'error:moves.under_way',
        'error:region.rebase_required',
        'state:move.past-undo',
      );
      await refused(eu(), `/api/admin/moves/${move.id}/undo`, {}, [409, 'moves.past_undo']);
    });

    test('an owner can start a move with the login secret', async () => {
      const company = await registerCompany(eu());
      const path = '/api/profile/migrate-region';
      const ask = (token: string, body: object) => eu().call('POST', path, { token, body });
      assert.equal(await eu().must('GET', path, { token: company.token }), null);
      const admin = await addDelegate(eu(), company, 'admin');
      assert.equal((await ask(admin.token, { region: 'us', login_secret: admin.loginSecret })).status, 403);
      const wrong = await ask(company.token, { region: 'us', login_secret: WRONG_SECRET });
      assert.equal(wrong.body.error_key, 'auth.credentials_invalid');
      const asked = await ask(company.token, { region: 'us', login_secret: company.loginSecret });
      proves('route:POST /api/profile/migrate-region');
      assert.deepEqual([asked.status, asked.body.status, asked.body.to], [202, 'under_way', 'us']);
      await run(eu());
      const there = await us().must('GET', path, { token: company.token });
      proves('route:GET /api/profile/migrate-region');
      assert.deepEqual([there.id, there.status, there.from], [asked.body.id, 'done', 'eu']);
    });

    test('a move that is undone before the switch changes nothing', async () => {
      const { company } = await populated(regions());
      const move = await start(eu(), company.id, 'us');
      const before = await rowsOf(eu(), company.id);
      // The other region refuses the move.
      const target = us().context.companyMoves?.moveTarget as { prepare: unknown };
      const prepare = target.prepare;
      target.prepare = async () => ({ state: 'none', refused: 'Not today.' });
      await run(eu());
      target.prepare = prepare;
      const waiting = await stateOf(eu(), move.id);
      assert.deepEqual([waiting.state, waiting.reason], ['copying', 'Not today.']);
      await eu().must('POST', `/api/admin/moves/${move.id}/undo`, { token: OPERATOR, body: {} });
      await run(eu());
      assert.equal((await stateOf(eu(), move.id)).state, 'undone');
      assert.deepEqual(await rowsOf(eu(), company.id), before);
      assert.deepEqual(await triggersOf(eu(), move.id), []);
      await us().context.database.reader.selectFrom('company_arrival_chunks').selectAll().execute();
      assert.equal((await start(eu(), company.id, 'us')).state, 'copying', 'the move may be started again');
      proves('state:move.undone');
      await run(eu());
    });

    test('the operator sees the regions and whether they answer', async () => {
      await regions().settle();
      const { regions: told } = await eu().must('GET', '/api/admin/regions', { token: OPERATOR });
      assert.deepEqual(
        told.map(({ name, own, status, messages }: Record<string, unknown>) => [name, own, status, messages]),
        [
          ['eu', true, 'ok', { waiting: 0, oldest_at: null }],
          ['us', false, 'ok', { waiting: 0, oldest_at: null }],
          ['ap', false, 'ok', { waiting: 0, oldest_at: null }],
        ],
      );
    });
  },
  ENVIRONMENT,
);

async function start(platform: TestPlatform, companyId: string, region: string) {
  return platform.must('POST', `/api/admin/companies/${companyId}/moves`, {
    token: OPERATOR,
    body: { region },
  });
}

const stateOf = (platform: TestPlatform, id: string) =>
  platform.must('GET', `/api/admin/moves/${id}`, { token: OPERATOR });

const run = async (platform: TestPlatform) => platform.context.companyMoves?.moveSource.run();

/** A company in eu with rows in every table and customers from two regions. */
async function populated(regions: TestRegions) {
  const eu = regions.region('eu');
  const us = regions.region('us');
  const company: TestCompany = await registerCompany(eu);
  const { token } = company;
  const rows = ['nick', 'name'].map((slug) => ({ slug, label: slug, type: 'text' }));
  const service = await createService(eu, company, rows);
  const { client_id, client_secret } = await eu.must('POST', `/api/services/${service.id}/client`, { token });
  const client = {
    id: client_id,
    secret: client_secret,
    token: await tokenFor(eu, client_id, client_secret),
  };
  const account = await createAccountClient(eu, company, ['service_management']);
  await addDelegate(eu, company, 'developer');
  await eu.must('POST', '/api/photos', {
    token,
    body: { file: dataUri('image/png', await imageOf('png', 8, 8)), label: 'A' },
  });
  const webhook = await eu.must('POST', `/api/services/${service.id}/webhooks`, {
    token,
    body: { url: 'http://127.0.0.1:9/hook' },
  });
  // An attempt, though nothing listens there.
  await eu.must('POST', `/api/services/${service.id}/webhooks/${webhook.id}/test`, { token });
  const person = await registerPerson(eu);
  const field = await createField(eu, person, { type: 'text', slug: 'nick', value: 'v1' });
  const other = await registerPerson(us, 'Grace');
  const otherField = await createField(us, other, { type: 'text', slug: 'nick', value: 'w1' });
  await regions.settle();
  const connections = [
    await connect(eu, person, service, { nick: { field, value: 'v1' }, name: { once: 'x' } }),
    await connect(us, other, service, { nick: { field: otherField, value: 'w1' } }),
  ];
  await regions.settle();
  const { reader } = eu.context.database;
  const known = await reader
    .selectFrom('persons')
    .selectAll()
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow();
  const customer = { connectionId: connections[0] ?? '', person: known };
  // The queue of the webhook: two parked events, and one after them.
  await eu.context.database.write((writer) => writer.deleteFrom('webhook_events').execute());
  for (const n of [1, 2]) {
    await raise(eu, service, customer, Event.documentCreated, { documentId: `d${n}`, payload: { n } });
  }
  const { seq } = await reader
    .selectFrom('webhook_events')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('webhook_id', '=', webhook.id)
    .executeTakeFirstOrThrow();
  await eu.context.database.write((writer) =>
    writer
      .updateTable('webhooks')
      .set({ parked_through: Number(seq) })
      .where('id', '=', webhook.id)
      .execute(),
  );
  await fill(eu, { companyId: company.id, serviceId: service.id, connectionId: connections[0] ?? '' });
  return { company, service, client, account, webhook: webhook.id as string, person, field, connections };
}
