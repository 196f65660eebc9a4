import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { limits } from '@symbolon/protocol';
import {
  connect,
  createField,
  createService,
  dataToken,
  decisionsFor,
  registerCompany,
  registerPerson,
  type TestCompany,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import type { Answer } from '@symbolon/testkit/platform/calls';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { refusedWhenAnyFails } from '@symbolon/testkit/platform/failing-statements';
import { OPERATOR, onPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames } from '@symbolon/testkit/platform/raised-events';

const LIST = '/api/person/connect-requests';
const BLOCKED = '/api/person/blocked-services';
const NOBODY = '019bd0f2-8c00-7000-8000-000000000000';

onPlatform('requests to connect', (platform) => {
  let company: TestCompany;
  before(async () => {
    company = await registerCompany(platform());
  });

  const newService = async (slugs: readonly string[] = []) => {
    const rows = slugs.map((slug) => ({ slug, label: slug, type: 'text', mandatory_provide: true }));
    const service = await createService(platform(), company, rows);
    return { service, token: await dataToken(platform(), service) };
  };
  const ask = (token: string, share_code: string) =>
    platform().call('POST', '/api/company-data/connect-requests', { token, body: { share_code } });
  const asked = async (token: string, person: TestPerson): Promise<string> => {
    const answer = await ask(token, person.shareCode);
    proves('route:POST /api/company-data/connect-requests');
    assert.equal(answer.status, 201, answer.text);
    return answer.body.request_id;
  };
  const waiting = async (person: TestPerson) =>
    (await platform().call('GET', LIST, { token: person.token })).body.connect_requests;
  const act = (person: TestPerson, id: string, what: string, body?: unknown) =>
    platform().call('POST', `${LIST}/${id}/${what}`, {
      token: person.token,
      ...(body === undefined ? {} : { body }),
    });
  const drain = async (token: string) => {
    const changes = await drainAll(platform(), '/api/company-data/changes', token);
    return changes.map(({ event, request_id }) => [event, request_id]);
  };
  /** Sweeps what has outlived its time. */
  const sweep = async () => {
    const { sweeps } = platform().context.domain;
    for (const one of sweeps)
      if (one.name.includes('connect requests')) await one.run(new AbortController().signal);
  };
  /** Makes the requests to a person older: tokens do not live as long as they do. */
  const age = async (person: TestPerson, ms: number) =>
    platform().context.database.write((writer) =>
      writer
        .updateTable('connect_requests')
        .set((eb) => ({ created_at: eb('created_at', '-', ms), expires_at: eb('expires_at', '-', ms) }))
        .where('person_id', '=', person.id)
        .execute(),
    );
  const accept = async (person: TestPerson, service: TestService, id: string) =>
    act(person, id, 'accept', { decisions: await decisionsFor(service.rows, {}) });

  test('a person sees who asks, and accepting with answers connects: both events arrive, with the id', async () => {
    const { service, token } = await newService(['nickname']);
    const person = await registerPerson(platform());
    const device = await Listener.open(platform(), person);
    const id = await asked(token, person);
    await device.heard(1);
    assert.deepEqual(device.events, [{ name: 'connect_request', data: { id } }]);
    device.close();
    const [card] = await waiting(person);
    assert.deepEqual(
      [card.request_id, card.service.id, card.service.share_code, card.company.company_code],
      [id, service.id, service.code, company.code],
    );
    const { level, created_at } = await platform().must('GET', '/api/account', { token: company.token });
    assert.deepEqual([card.company.level, card.company.since], [level, created_at]);
    const one = await platform().call('GET', `${LIST}/${id}`, { token: person.token });
    proves('route:GET /api/person/connect-requests/{id}');
    assert.deepEqual([one.status, one.body], [200, card]);
    const bare = await accept(person, service, id);
    assert.deepEqual([bare.status, bare.body.error_key], [422, 'contact_data.mandatory_missing']);
    const field = await createField(platform(), person, { type: 'text', slug: 'nick', value: 'Ada' });
    const accepted = await act(person, id, 'accept', {
      decisions: await decisionsFor(service.rows, { nickname: { field, value: 'Ada' } }),
    });
    proves('route:POST /api/person/connect-requests/{id}/accept');
    assert.equal(accepted.status, 201, accepted.text);
    assert.deepEqual(await waiting(person), []);
    assert.deepEqual(await drain(token), [
      ['connection_created', undefined],
      ['connection_request_accepted', id],
    ]);
    const read = await platform().must(
      'GET',
      `/api/company-data/connections/${accepted.body.connection_id}`,
      { token },
    );
    assert.equal(await service.open(read.values.nickname.value), 'Ada');
    assert.deepEqual(await refusalOf(accept(person, service, id)), [404, 'connect_requests.not_found']);
    assert.deepEqual(await refusalOf(ask(token, person.shareCode)), [409, 'company_connections.exists']);
    proves(
      'event:connection_request_accepted',
      'state:connect-request.open-accepted',
      'error:company_connections.exists',
      'error:connect_requests.not_found',
    );
  });

  test('staff asks by the code, sees what was asked, and the audit log says who asked', async () => {
    const { service } = await newService();
    const at = `/api/services/${service.id}/connect-requests`;
    const support = await addDelegate(platform(), company, 'support');
    const people = [];
    for (let index = 0; index < 3; index++) people.push(await registerPerson(platform()));
    const [accepting, rejecting, silent] = people as [TestPerson, TestPerson, TestPerson];
    const ids = [];
    for (const { shareCode: share_code } of people) {
      const body = { share_code };
      const { request_id } = await platform().must('POST', at, { token: support.token, body });
      ids.push(request_id);
    }
    const again = await platform().must('POST', at, {
      token: support.token,
      body: { share_code: silent.shareCode },
    });
    assert.equal(again.request_id, ids[2], 'the open one');
    assert.equal((await accept(accepting, service, ids[0])).status, 201);
    assert.equal((await act(rejecting, ids[1], 'reject')).status, 204);
    const list = (query: string) => platform().must('GET', `${at}${query}`, { token: support.token });
    const statesOf = ({ connect_requests }: { connect_requests: Record<string, string>[] }) =>
      connect_requests.map((row) => [row.request_id, row.share_code, row.state]);
    const first = await list('?limit=2');
    assert.deepEqual(statesOf(first), [
      [ids[2], silent.shareCode, 'open'],
      [ids[1], rejecting.shareCode, 'rejected'],
    ]);
    const rest = await list(`?limit=2&before=${first.next}`);
    assert.deepEqual(statesOf(rest), [[ids[0], accepting.shareCode, 'accepted']]);
    assert.equal(rest.next, null);
    await age(silent, limits.connectRequestLifetimeMs);
    assert.equal((await list('')).connect_requests[0].state, 'rejected', 'before the sweep, too');
    const { items } = await platform().must('GET', '/api/account/audit-log', { token: company.token });
    const entries = items.filter(
      (entry: { action: string; target: string }) =>
        entry.action === 'service.connection_requested' && entry.target === service.id,
    );
    assert.deepEqual(
      entries.map(({ details }: { details: { request_id: string } }) => details.request_id),
      ids.toReversed(),
      'once for each',
    );
    proves('route:GET /api/services/{id}/connect-requests', 'route:POST /api/services/{id}/connect-requests');
  });

  test('a viewer asks nobody, and nobody asks or looks for the service of another company', async () => {
    const { service } = await newService();
    const person = await registerPerson(platform());
    const at = `/api/services/${service.id}/connect-requests`;
    const body = { share_code: person.shareCode };
    const viewer = await addDelegate(platform(), company, 'viewer');
    await refused(platform(), [403, 'auth.role_forbidden'], 'POST', at, { token: viewer.token, body });
    const stranger = await registerCompany(platform());
    await refused(platform(), [404, 'services.not_found'], 'GET', at, { token: stranger.token });
    await refused(platform(), [404, 'services.not_found'], 'POST', at, { token: stranger.token, body });
    assert.deepEqual(await waiting(person), []);
  });

  test('what is not saved whole is not acknowledged', async () => {
    const { service, token } = await newService();
    const person = await registerPerson(platform());
    const whole = async (made: Promise<Answer>, status: number) => {
      const { body, status: given, text } = await made;
      assert.equal(given, status, text);
      return body;
    };
    const once = () => refusedWhenAnyFails(platform(), () => ask(token, person.shareCode));
    const first = await whole(once(), 201);
    await whole(
      refusedWhenAnyFails(platform(), () => act(person, first.request_id, 'reject')),
      204,
    );
    const { request_id } = await whole(once(), 201);
    await whole(
      refusedWhenAnyFails(platform(), () => accept(person, service, request_id)),
      201,
    );
  });

  test('a later event of the person replaces both', async () => {
    const { service, token } = await newService();
    const person = await registerPerson(platform());
    await asked(token, person);
    const connection = await connect(platform(), person, service);
    assert.deepEqual(await eventNames(platform(), service.id), [
      'connection_created',
      'connection_request_accepted',
    ]);
    await platform().must('DELETE', `/api/person/connections/${connection}`, { token: person.token });
    assert.deepEqual(await eventNames(platform(), service.id), ['connection_deleted']);
  });

  test('a person who connects by the codes has accepted the request', async () => {
    const { service, token } = await newService();
    const person = await registerPerson(platform());
    const id = await asked(token, person);
    await connect(platform(), person, service);
    assert.deepEqual(await waiting(person), []);
    assert.deepEqual(await drain(token), [
      ['connection_created', undefined],
      ['connection_request_accepted', id],
    ]);
  });

  test('while a request is open the same call gives it again, also by the custom code', async () => {
    const { token } = await newService();
    const person = await registerPerson(platform());
    const id = await asked(token, person);
    const code = `ADA${person.shareCode}`;
    await platform().must('PUT', `/api/admin/people/${person.id}/share-codes/${code}`, { token: OPERATOR });
    assert.deepEqual((await ask(token, ` ${code.toLowerCase()} `)).body, { request_id: id });
    assert.equal(await asked(token, person), id);
    assert.equal((await waiting(person)).length, 1);
  });

  test('rejecting tells the service, and ends the request', async () => {
    const { service, token } = await newService();
    const person = await registerPerson(platform());
    const id = await asked(token, person);
    proves('route:POST /api/person/connect-requests/{id}/reject');
    assert.equal((await act(person, id, 'reject')).status, 204);
    assert.deepEqual(await drain(token), [['connection_request_rejected', id]]);
    for (const what of ['reject', 'block'])
      assert.deepEqual(await refusalOf(act(person, id, what)), [404, 'connect_requests.not_found']);
    assert.deepEqual(await refusalOf(accept(person, service, id)), [404, 'connect_requests.not_found']);
    proves('event:connection_request_rejected', 'state:connect-request.open-rejected');
  });

  test('a service asks one person some times within the time of a request', async () => {
    const { token } = await newService();
    const person = await registerPerson(platform());
    for (let n = 0; n < limits.connectRequestsMost; n++)
      assert.equal((await act(person, await asked(token, person), 'reject')).status, 204);
    const capped = async () => {
      const { status, body } = await ask(token, person.shareCode);
      return [status, body.error_key, body.retry_after];
    };
    const seconds = limits.connectRequestLifetimeMs / 1000;
    assert.deepEqual(await capped(), [409, 'company_connections.request_cap', seconds]);
    await age(person, limits.connectRequestLifetimeMs - 1);
    assert.deepEqual(await capped(), [409, 'company_connections.request_cap', 1]);
    await age(person, 1);
    await asked(token, person);
    proves('error:company_connections.request_cap', 'limit:connectRequestsMost');
  });

  test('a company asks one person some times, however many services it has', async () => {
    const person = await registerPerson(platform());
    let last = '';
    for (let n = 0; n <= limits.connectRequestsOfCompanyMost; n++) {
      const { token } = await newService();
      last = token;
      if (n === limits.connectRequestsOfCompanyMost) break;
      const id = await asked(token, person);
      // Those that were blocked count as well.
      await act(person, id, n % 2 === 0 ? 'block' : 'reject');
    }
    const { status, body } = await ask(last, person.shareCode);
    assert.deepEqual(
      [status, body.error_key, body.retry_after],
      [409, 'company_connections.request_cap', limits.connectRequestLifetimeMs / 1000],
    );
    const other = await createService(platform(), await registerCompany(platform()));
    await asked(await dataToken(platform(), other), person);
    await age(person, limits.connectRequestLifetimeMs);
    await asked(last, person);
    proves('limit:connectRequestsOfCompanyMost');
  });

  test('a person has a bounded number of open requests', async () => {
    const { service, token } = await newService();
    const person = await registerPerson(platform());
    const at = platform().clock.now();
    await platform().context.database.write(async (writer) => {
      const { ids } = platform().context;
      const rows = Array.from({ length: limits.openConnectRequestsMost }, () => ({
        company_id: ids.uuid(),
        service_id: ids.uuid(),
        id: ids.uuid(),
        person_id: person.id,
        state: 'open' as const,
        created_at: at,
        expires_at: at + 1000,
      }));
      await writer.insertInto('connect_requests').values(rows).execute();
    });
    const full = await ask(token, person.shareCode);
    assert.deepEqual(
      [full.status, full.body.error_key, 'retry_after' in full.body],
      [409, 'company_connections.request_cap', false],
      'when requests of others end stays with them',
    );
    // One that the person does not see any more, because its service is blocked, takes no place.
    await platform().context.database.write(async (writer) => {
      const open = await writer
        .selectFrom('connect_requests')
        .select(['company_id', 'service_id', 'person_id', 'created_at'])
        .where('person_id', '=', person.id)
        .limit(1)
        .execute();
      await writer.insertInto('blocked_services').values(open).execute();
    });
    await asked(token, person);
    assert.deepEqual(await eventNames(platform(), service.id), []);
    await platform().context.database.write((writer) =>
      writer.deleteFrom('connect_requests').where('person_id', '=', person.id).execute(),
    );
    proves('limit:openConnectRequestsMost');
  });

  test('after 30 days a request is rejected, once', async () => {
    const { token } = await newService();
    const person = await registerPerson(platform());
    const id = await asked(token, person);
    await age(person, limits.connectRequestLifetimeMs - 1);
    await sweep();
    assert.equal((await waiting(person)).length, 1);
    await age(person, 1);
    assert.deepEqual(await waiting(person), []);
    await sweep();
    await sweep();
    assert.deepEqual(await drain(token), [['connection_request_rejected', id]]);
    await age(person, limits.connectRequestLifetimeMs);
    await sweep();
    const { reader } = platform().context.database;
    assert.deepEqual(
      await reader.selectFrom('connect_requests').select('id').where('person_id', '=', person.id).execute(),
      [],
    );
    proves('state:connect-request.open-expired', 'limit:connectRequestLifetimeMs');
  });

  test('a blocked service is not notified; the person sees none of its requests', async () => {
    const { service, token } = await newService();
    const person = await registerPerson(platform());
    const id = await asked(token, person);
    assert.equal((await act(person, id, 'block')).status, 204);
    assert.deepEqual(await waiting(person), []);
    assert.deepEqual(await drain(token), []);
    assert.equal(await asked(token, person), id);
    assert.deepEqual(await waiting(person), []);
    const { blocked_services } = (await platform().call('GET', BLOCKED, { token: person.token })).body;
    proves('route:GET /api/person/blocked-services');
    assert.deepEqual(
      blocked_services.map((one: { service: { id: string } }) => one.service.id),
      [service.id],
    );
    const unblocked = await platform().call('DELETE', `${BLOCKED}/${service.id}`, { token: person.token });
    proves('route:DELETE /api/person/blocked-services/{id}');
    assert.equal(unblocked.status, 204);
    assert.equal((await waiting(person)).length, 1);
    const again = platform().call('DELETE', `${BLOCKED}/${service.id}`, { token: person.token });
    assert.deepEqual(await refusalOf(again), [404, 'connect_requests.not_blocked']);
    proves('error:connect_requests.not_blocked');
  });

  test('requests to another person cannot be answered', async () => {
    const { service, token } = await newService();
    const person = await registerPerson(platform());
    const stranger = await registerPerson(platform());
    const id = await asked(token, person);
    const missing = [404, 'connect_requests.not_found'];
    assert.deepEqual(await refusalOf(accept(stranger, service, id)), missing);
    assert.deepEqual(await refusalOf(act(stranger, id, 'reject')), missing);
    assert.deepEqual(await refusalOf(act(stranger, id, 'block')), missing);
    assert.deepEqual(await refusalOf(act(stranger, NOBODY, 'reject')), missing);
    assert.equal((await waiting(person)).length, 1);
  });

  test('a person who deletes the account rejects what waits, and is not asked again', async () => {
    const { token } = await newService();
    const blocked = await newService();
    const person = await registerPerson(platform());
    const id = await asked(token, person);
    const hidden = await asked(blocked.token, person);
    assert.equal((await act(person, hidden, 'block')).status, 204);
    await platform().must('DELETE', '/api/person', {
      token: person.token,
      body: { login_secret: person.loginSecret },
    });
    assert.deepEqual(await refusalOf(ask(token, person.shareCode)), [404, 'company_connections.not_found']);
    await platform().context.deletionWorker.run();
    assert.deepEqual(await drain(token), [['connection_request_rejected', id]]);
    assert.deepEqual(await drain(blocked.token), [['connection_request_rejected', hidden]]);
    const { reader } = platform().context.database;
    for (const table of ['connect_requests', 'blocked_services'] as const)
      assert.deepEqual(
        await reader.selectFrom(table).select('service_id').where('person_id', '=', person.id).execute(),
        [],
      );
  });

  test('unknown codes, codes of companies, and services for companies alone, are refused', async () => {
    const { service, token } = await newService();
    const person = await registerPerson(platform());
    assert.deepEqual(await refusalOf(ask(token, 'NOBODY99')), [404, 'company_connections.not_found']);
    assert.deepEqual(await refusalOf(ask(token, company.code)), [400, 'company_connections.persons_only']);
    await platform().must('PUT', `/api/services/${service.id}/audience`, {
      token: company.token,
      body: { audience: 'company' },
    });
    assert.deepEqual(await refusalOf(ask(token, person.shareCode)), [403, 'services.audience_b2b_only']);
    proves('error:company_connections.not_found', 'error:company_connections.persons_only');
  });
});
