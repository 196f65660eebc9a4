import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createService,
  dataToken,
  registerCompany,
  sealed,
  type TestCompany,
} from '@symbolon/testkit/actors/actors';
import { connectedPerson } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { onEachEngine } from '@symbolon/testkit/platform/platform';

const DOCUMENTS = '/api/company-data/documents';
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

onEachEngine('the day on which cancelled contracts end', (platform) => {
  const day = (days: number) => new Date(platform().clock.now() + days * DAY_MS).toISOString().slice(0, 10);
  const untilTomorrow = () => DAY_MS - (platform().clock.now() % DAY_MS);
  const endContracts = () => {
    const sweep = platform().context.domain.sweeps.find(({ name }) => name === 'ending contracts');
    return sweep?.run(new AbortController().signal);
  };

  /** A person and a service that are connected, a quarter of an hour before midnight. */
  const late = async (company?: TestCompany) => {
    platform().clock.advance((untilTomorrow() + DAY_MS - 15 * MINUTE_MS) % DAY_MS);
    const service = await createService(platform(), company ?? (await registerCompany(platform())));
    const token = await dataToken(platform(), service);
    const { person, connectionId } = await connectedPerson(platform(), service);
    const issue = async (valid_until: string, isAccepted = true) => {
      const body = {
        kind: 'agreement',
        name: 'Lease',
        payload_kind: 'json',
        target: { connection_id: connectionId },
        value: await sealed('{"rent":900}'),
        metadata: { can_be_cancelled_in_app: true, valid_until },
        requires_acceptance: isAccepted,
      };
      const { id } = await platform().must('POST', DOCUMENTS, { token, body });
      if (isAccepted)
        await platform().must('POST', `/api/person/documents/${id}/accept`, { token: person.token });
      return id as string;
    };
    const read = (id: string) => platform().must('GET', `${DOCUMENTS}/${id}`, { token });
    const cancel = (id: string) =>
      platform().must('POST', `/api/person/documents/${id}/cancel`, { token: person.token });
    const drain = () => drainAll(platform(), '/api/company-data/changes', token);
    return { service, token, person, connectionId, issue, read, cancel, drain };
  };

  test('a contract ends when its day begins in UTC, once, and then no longer keeps its connection', async () => {
    const { person, connectionId, issue, read, cancel, drain } = await late();
    const id = await issue(day(1));
    await cancel(id);
    const disconnect = () =>
      platform().call('DELETE', `/api/person/connections/${connectionId}`, { token: person.token });
    await drain();
    platform().clock.advance(untilTomorrow() - 1);
    await endContracts();
    assert.equal((await read(id)).status, 'active_but_ending');
    const early = await disconnect();
    assert.deepEqual([early.status, early.body.error_key], [409, 'company_connections.active_contract']);
    platform().clock.advance(1);
    const stream = await Listener.open(platform(), { token: person.token });
    await Promise.all([endContracts(), endContracts()]);
    assert.equal((await read(id)).status, 'ended');
    assert.deepEqual(await stream.heard(1), ['document']);
    stream.close();
    await endContracts();
    const [change, ...others] = await drain();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [change?.event, change?.document_id, change?.status, change?.action, change?.cancel_effective_date],
      ['document_status_changed', id, 'ended', null, null],
    );
    proves('state:document.ending-ended');
    assert.equal((await disconnect()).status, 204);
  });

  test('between two drains only the latest status of a document is delivered', async () => {
    const { issue, cancel, drain } = await late();
    const ids = [await issue(day(1)), await issue(day(0))];
    await drain();
    for (const id of ids) await cancel(id);
    platform().clock.advance(untilTomorrow());
    await endContracts();
    const told = (await drain()).map(({ document_id, action }) => [document_id, action]);
    assert.deepEqual(told, [
      [ids[1], 'cancelled'],
      [ids[0], null],
    ]);
  });

  test('a contract that the company made active again does not end', async () => {
    const { token, issue, read, cancel } = await late();
    const id = await issue(day(1), false);
    await cancel(id);
    for (const status of ['active', 'active_but_ending']) {
      await platform().must('PUT', `${DOCUMENTS}/${id}`, { token, body: { status } });
      platform().clock.advance(untilTomorrow() % DAY_MS);
      await endContracts();
      assert.equal((await read(id)).status, status);
    }
  });

  test('what the company deleted ends for the customer that keeps it, and the company hears nothing', async () => {
    const { token, person, issue, cancel, drain } = await late();
    const id = await issue(day(1));
    await cancel(id);
    await platform().must('DELETE', `${DOCUMENTS}/${id}`, { token });
    await drain();
    platform().clock.advance(untilTomorrow());
    await endContracts();
    const kept = await platform().must('GET', `/api/person/documents/${id}`, { token: person.token });
    assert.equal(kept.status, 'ended');
    assert.deepEqual(await drain(), []);
  });

  test('many contracts of many services end on one day', async () => {
    platform().clock.advance((untilTomorrow() + DAY_MS - 15 * MINUTE_MS) % DAY_MS);
    const company = await registerCompany(platform());
    const { database, ids } = platform().context;
    const services = [];
    for (let count = 0; count < 2; count++) {
      const one = await late(company);
      const id = await one.issue(day(1));
      const row = await database.reader
        .selectFrom('documents')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const many = Array.from({ length: 40 }, (_, index) => ({
        ...row,
        id: ids.uuid(),
        status: 'active_but_ending' as const,
        ends_on: day(1 - (index % 3)),
      }));
      await database.write((writer) => writer.insertInto('documents').values(many).execute());
      await one.drain();
      services.push({ ...one, many: many.map((document) => document.id) });
    }
    platform().clock.advance(untilTomorrow());
    await endContracts();
    for (const { drain, many } of services) {
      const told = await drain();
      assert.deepEqual(told.map(({ document_id }) => String(document_id)).sort(), many.sort());
      assert.ok(told.every(({ status }) => status === 'ended'));
    }
  });
});
