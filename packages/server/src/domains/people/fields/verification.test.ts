import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesAttestation } from '@symbolon/crypto';
import {
  connect,
  createField,
  createService,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused, snapshot } from '@symbolon/testkit/evidence/refusals';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let counter = 0;

onPlatform('verifying an e-mail address', (platform) => {
  async function unverified(type = 'email') {
    const person = await registerPerson(platform());
    const address = `Ada.${++counter}@Example.com`;
    const id = await createField(platform(), person, { type, slug: 'mail', value: address });
    const path = `/api/person/fields/${id}/verification`;
    const { token } = person;
    const start = (value = address) => platform().call('POST', path, { token, body: { value } });
    const newestCode = async () => {
      const mail = (await mailsTo(platform(), address)).at(-1) ?? '';
      return /^Subject: (\d{6}) /m.exec(mail)?.[1] ?? '';
    };
    const confirm = (code: string, value = address) =>
      platform().call('POST', `${path}/confirm`, { token, body: { value, code } });
    return { person, address, id, path, token, start, newestCode, confirm };
  }
  const otherThan = (code: string) => (code === '000000' ? '111111' : '000000');

  async function verified() {
    const field = await unverified();
    await field.start();
    const answer = await field.confirm(await field.newestCode());
    assert.equal(answer.status, 200, answer.text);
    return { ...field, attested: answer.body };
  }

  test('verification mails a code, and the code attests the value', async () => {
    const { address, start, newestCode, confirm } = await unverified();
    const started = await start();
    assert.equal(started.status, 202, started.text);
    assert.equal(Date.parse(started.body.expires_at), platform().clock.now() + 15 * MINUTE);
    const mails = await mailsTo(platform(), address);
    assert.equal(mails.length, 1);
    const code = await newestCode();
    assert.match(code, /^\d{6}$/);
    const { body } = await confirm(` ${code.slice(0, 3)} ${code.slice(3)} `);
    assert.ok(await matchesAttestation(address, body.verified_salt, body.verified_hash));
    assert.equal(Date.parse(body.verified_at), platform().clock.now());
    assert.deepEqual([body.verified_method, body.verified_provider], ['email_code', 'symbolon']);
    assert.match(body.verification_id, /^[0-9a-f-]{36}$/);
    assert.equal(body.verified_expires_at, undefined);
    proves(
      'error:verification.not_started',
      'state:verification.none-started',
      'state:verification.started-verified',
    );
    assert.equal((await confirm(code)).body.error_key, 'verification.not_started');
  });

  test('the database holds neither the address nor the code', async () => {
    const { address, start, newestCode, confirm } = await unverified();
    const clear = async (code: string) => {
      const stored = JSON.stringify(await snapshot(platform()));
      assert.ok(!stored.toLowerCase().includes(address.toLowerCase()));
      assert.ok(!stored.includes(`"${code}"`));
    };
    await start();
    const code = await newestCode();
    await clear(code);
    await confirm(code);
    await clear(code);
  });

  test('only fields of e-mail types can be verified', async () => {
    const { path, token, id } = await unverified('phone');
    const body = { value: 'ada@example.com' };
    await refused(platform(), [400, 'verification.unsupported'], 'POST', path, { token, body });
    const text = await unverified('text');
    assert.equal((await text.start()).body.error_key, 'verification.unsupported');
    assert.equal((await platform().call('GET', `/api/person/fields/${id}`, { token })).status, 200);
  });

  test('a value that is not exactly one address is refused', async () => {
    const { path, token } = await unverified();
    for (const value of [
      'nobody',
      ' ada@example.com',
      'a@example.com,b@example.com',
      'Ada <a@example.com>',
      'a@example.com\r\nBcc: b@example.com',
    ]) {
      const call = { token, body: { value } };
      const answer = await refused(platform(), [400, 'contact_data.value_invalid'], 'POST', path, call);
      assert.ok(!answer.text.includes(value));
    }
  });

  test('a code is valid for five tries', async () => {
    const { start, newestCode, confirm } = await unverified();
    await start();
    const code = await newestCode();
    for (let tries = 0; tries < 5; tries++) {
      const answer = await confirm(otherThan(code));
      assert.deepEqual([answer.status, answer.body.error_key], [400, 'verification.code_invalid']);
    }
    assert.equal((await confirm(code)).body.error_key, 'verification.code_invalid');
    await start();
    assert.equal((await confirm(await newestCode())).status, 200);
  });

  test('five tries at once are five tries', async () => {
    const { start, newestCode, confirm } = await unverified();
    await start();
    const code = await newestCode();
    await Promise.all(Array.from({ length: 5 }, () => confirm(otherThan(code))));
    assert.equal((await confirm(code)).body.error_key, 'verification.code_invalid');
  });

  test('a code is valid for a quarter of an hour', async () => {
    const { start, newestCode, confirm } = await unverified();
    await start();
    platform().clock.advance(15 * MINUTE - 1);
    const code = await newestCode();
    assert.equal((await confirm(otherThan(code))).status, 400);
    platform().clock.advance(1);
    proves('error:verification.code_invalid');
    assert.equal((await confirm(code)).body.error_key, 'verification.code_invalid');
  });

  test('a new code replaces the one before', async () => {
    const { start, newestCode, confirm } = await unverified();
    await start();
    const first = await newestCode();
    platform().clock.advance(1);
    await start();
    const second = await newestCode();
    if (first !== second) assert.equal((await confirm(first)).status, 400);
    assert.equal((await confirm(second)).status, 200);
  });

  test('a code attests only the value it was sent for', async () => {
    const { path, token, start, newestCode } = await unverified();
    await start();
    const code = await newestCode();
    const call = { token, body: { code, value: 'someone.else@example.com' } };
    await refused(platform(), [409, 'verification.value_changed'], 'POST', `${path}/confirm`, call);
  });

  test('saving a field makes its mailed code invalid', async () => {
    const { id, token, start, newestCode, confirm } = await unverified();
    await start();
    const value = await sealed('other@example.com');
    await platform().must('PUT', `/api/person/fields/${id}`, { token, body: { value } });
    assert.equal((await confirm(await newestCode())).body.error_key, 'verification.not_started');
  });

  test('a field gets at most five codes an hour', async () => {
    const { start, address } = await unverified();
    for (let mails = 0; mails < 5; mails++) assert.equal((await start()).status, 202);
    const answer = await start();
    assert.deepEqual([answer.status, answer.body.error_key], [429, 'rate_limit.exceeded']);
    const seconds = Number(answer.headers.get('retry-after'));
    assert.ok(seconds > 3000 && seconds <= 3600);
    proves('limit:code-mails-field');
    proves('route:POST /api/person/fields/{id}/verification');
    assert.equal((await mailsTo(platform(), address)).length, 5);
  });

  test('codes of many fields to one mailbox are limited', async () => {
    const address = `victim-${++counter}@example.com`;
    const statuses: number[] = [];
    for (let people = 0; people < 3; people++) {
      const { start } = await unverified();
      for (let mails = 0; mails < 4; mails++) statuses.push((await start(address)).status);
    }
    proves('limit:code-mails-address');
    assert.equal(statuses.filter((status) => status === 202).length, 10);
  });

  test('saving the value drops the attestation, with the slots’', async () => {
    const { person, id, token, address } = await verified();
    const service = await createService(platform(), await registerCompany(platform()), [
      { slug: 'email', label: 'E-mail', type: 'email', verified: true },
    ]);
    await connect(platform(), person, service, { email: { field: id, value: address } });
    assert.ok((await slotOf(id))?.verification);
    const path = `/api/person/fields/${id}`;
    const [slot] = (await platform().must('GET', `${path}/slots`, { token })).slots;
    const copies = [
      {
        connection_id: slot.connection_id,
        request_field_id: slot.request_field_id,
        value: await sealed('b@example.com'),
      },
    ];
    const body = { value: await sealed('b@example.com'), copies };
    const saved = await platform().must('PUT', path, { token, body });
    assert.equal(saved.verified_at, undefined);
    assert.equal((await slotOf(id))?.verification, null);
    assert.equal(
      (await platform().must('PUT', path, { token, body: { label: 'x' } })).verified_hash,
      undefined,
    );
  });

  test('a slot with a former value, which was withheld, never gets the attestation of the new one', async () => {
    const { person, id, token, address, confirm } = await verified();
    const service = await createService(platform(), await registerCompany(platform()), [
      { slug: 'email', label: 'E-mail', type: 'email', verified: true },
    ]);
    await connect(platform(), person, service, { email: { field: id, value: address } });
    const former = await slotOf(id);
    assert.ok(former?.verification);
    const path = `/api/person/fields/${id}`;
    const [{ connection_id, request_field_id }] = (await platform().must('GET', `${path}/slots`, { token }))
      .slots;
    const next = `new-${address}`;
    const copies = [{ connection_id, request_field_id, withheld: true }];
    await platform().must('PUT', path, { token, body: { value: await sealed(next), copies } });
    assert.deepEqual(await slotOf(id), former, 'the former value keeps its attestation');
    await platform().must('POST', `${path}/verification`, { token, body: { value: next } });
    const mail = (await mailsTo(platform(), next)).at(-1) ?? '';
    const code = /^Subject: (\d{6}) /m.exec(mail)?.[1] ?? '';
    proves('route:POST /api/person/fields/{id}/verification/confirm');
    assert.equal((await confirm(code, next)).status, 200);
    assert.deepEqual(await slotOf(id), former);
    await platform().must('DELETE', `${path}/verification`, { token });
    assert.deepEqual(await slotOf(id), former);
  });

  test('renaming the field keeps the attestation', async () => {
    const { id, token, attested } = await verified();
    const body = { label: 'Work', private: true };
    const renamed = await platform().must('PUT', `/api/person/fields/${id}`, { token, body });
    assert.deepEqual(renamed, { ...attested, ...body });
  });

  test('live slots get and lose the attestation with an event', async () => {
    const { person, id, path, token, address, start, newestCode, confirm } = await unverified();
    const service = await createService(platform(), await registerCompany(platform()), [
      { slug: 'email', label: 'E-mail', type: 'email' },
      { slug: 'once', label: 'E-mail', type: 'email', one_time: true },
    ]);
    const live = { field: id, value: address };
    await connect(platform(), person, service, { email: live, once: { field: id, once: address } });
    await forgetEvents(platform());
    const before = await slotOf(id);
    platform().clock.advance(MINUTE);
    await start();
    const { body } = await confirm(await newestCode());
    assert.deepEqual(await eventNames(platform(), service.id), ['field_updated email']);
    const attestation = JSON.parse((await slotOf(id))?.verification ?? '');
    assert.equal(attestation.verified_hash, body.verified_hash);
    assert.equal(attestation.verified_expires_at, undefined);
    assert.equal((await slotOf(id))?.value, before?.value);
    assert.equal((await slotOf(id, 0))?.verification, null);

    await forgetEvents(platform());
    const dropped = await platform().must('DELETE', path, { token });
    assert.equal(dropped.verified_hash, undefined);
    assert.deepEqual(await eventNames(platform(), service.id), ['field_updated email']);
    assert.equal((await slotOf(id))?.verification, null);
    await forgetEvents(platform());
    await platform().must('DELETE', path, { token });
    proves('route:DELETE /api/person/fields/{id}/verification', 'state:verification.verified-none');
    assert.deepEqual(await eventNames(platform(), service.id), []);
  });

  test('an attestation ends on slots whose rows limit its age', async () => {
    const { person, id, address, attested, token, path, start, newestCode, confirm } = await verified();
    const service = await createService(platform(), await registerCompany(platform()), [
      { slug: 'fresh', label: 'E-mail', type: 'email', verified: true, verified_max_age_days: 30 },
      { slug: 'any_age', label: 'E-mail', type: 'email', verified: true },
    ]);
    const live = { field: id, value: address };
    await connect(platform(), person, service, { fresh: live, any_age: live });
    const ends = async () =>
      Object.fromEntries(
        (await slotsOf(id)).map((slot) => [
          slot.request_field_id,
          JSON.parse(slot.verification ?? '{}').verified_expires_at,
        ]),
      );
    const expected = (verifiedAt: string) => ({
      [service.rows.fresh ?? '']: new Date(Date.parse(verifiedAt) + 30 * DAY).toISOString(),
      [service.rows.any_age ?? '']: undefined,
    });
    assert.deepEqual(await ends(), expected(attested.verified_at));
    await platform().must('DELETE', path, { token });
    platform().clock.advance(DAY);
    const login = await signInAgain(person);
    const again = { token: login };
    await platform().must('POST', path, { ...again, body: { value: address } });
    const { verified_at } = await platform().must('POST', `${path}/confirm`, {
      ...again,
      body: { value: address, code: await newestCode() },
    });
    assert.deepEqual(await ends(), expected(verified_at));
    assert.equal((await start()).status, 401);
    assert.equal((await confirm('123456')).status, 401);
  });

  const slotsOf = (fieldId: string) =>
    platform()
      .context.database.reader.selectFrom('slot_values')
      .selectAll()
      .where('field_id', '=', fieldId)
      .execute();
  const slotOf = async (fieldId: string, live: 0 | 1 = 1) =>
    (await slotsOf(fieldId)).find((slot) => slot.live === live);
  const signInAgain = async (person: TestPerson): Promise<string> =>
    (
      await platform().must('POST', '/api/person/login', {
        body: { email: person.email, login_secret: person.loginSecret },
      })
    ).access_token;
});
