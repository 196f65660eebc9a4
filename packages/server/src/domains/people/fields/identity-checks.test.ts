import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { matchesAttestation } from '@symbolon/crypto';
import { limits } from '@symbolon/protocol';
import {
  createDataClient,
  createService,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { signInByCookie } from '@symbolon/testkit/actors/person-sessions';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { snapshot } from '@symbolon/testkit/evidence/refusals';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';
import {
  startIdentityProvider,
  type TestIdentityProvider,
} from '@symbolon/testkit/servers/identity-provider';
import type { Clock } from '../../../core/clock.ts';
import { sweepAll } from '../../../roles/sweep.ts';
import { nameIsVerified } from './verified-name.ts';

const DAY = 86_400_000;
const ADA = { first_name: 'Ada', last_name: 'Lovelace' };
const RESULTS = '/api/verification/results';

let clock: Clock = { now: () => 0 };
let provider: TestIdentityProvider;
const environment: Record<string, string> = {};
before(async () => {
  provider = await startIdentityProvider(() => clock);
  Object.assign(environment, provider.environment);
});
after(() => provider.stop());

const passport = (bytes = randomBytes(3000)) => ({
  pages: [
    {
      label: 'front',
      file: `data:image/png;base64,${bytes.toString('base64')}`,
      original_name: 'my holiday.png',
      mime_type: 'image/png',
      size: bytes.length,
    },
  ],
  document_number: 'C01X00T47',
  issuing_country: 'DE',
});

onPlatform(
  'verifying an identity document',
  (platform) => {
    async function withDocument({ type = 'passport', isPrivate = true } = {}) {
      clock = platform().clock;
      const person = await registerPerson(platform());
      const { token } = person;
      const slug = `f${randomBytes(4).toString('hex')}`;
      const made = await platform().must('POST', '/api/person/fields', {
        token,
        body: { type, label: 'My passport', slug, private: isPrivate },
      });
      const path = `/api/person/fields/${made.id}`;
      const plaintext = JSON.stringify(passport());
      const put = async (envelope = plaintext) =>
        platform().must('PUT', `${path}/file`, {
          token,
          body: isPrivate ? { value: await sealed(envelope) } : { file: envelope },
        });
      await put();
      const start = (body: object = isPrivate ? { value: plaintext } : {}) =>
        platform().call('POST', `${path}/verification/document`, { token, body });
      const state = async () =>
        (await platform().call('GET', `${path}/verification/document`, { token })).body.check;
      return { person, token, id: made.id as string, path, plaintext, put, start, state };
    }
    type Document = Awaited<ReturnType<typeof withDocument>>;
    const handedOver = async (document: Document) => {
      const answer = await document.start();
      assert.equal(answer.status, 202, answer.text);
      return provider.received.at(-1)?.check.check_id ?? '';
    };
    const audience = () => `${platform().url}${RESULTS}`;
    const approval = (checkId: string, more: object = {}) =>
      provider.result(
        { sub: checkId, aud: audience(), outcome: 'approved', jti: 'case-7', ...ADA, ...more },
        platform().clock,
      );
    const rejection = (checkId: string, reason = 'unreadable') =>
      provider.result({ sub: checkId, aud: audience(), outcome: 'rejected', reason }, platform().clock);
    const tell = (result: string) => platform().call('POST', RESULTS, { body: { result } });
    const named = (person: TestPerson, name = ADA) =>
      nameIsVerified(platform().context.database.reader, person.id, { name, now: platform().clock.now() });
    const fieldOf = ({ path, token }: Document) => platform().must('GET', path, { token });

    test('the provider gets the document and nothing about the person, and its approval attests the file', async () => {
      const document = await withDocument();
      const { person, plaintext, state, token } = document;
      assert.equal(await state(), null);
      const checkId = await handedOver(document);
      const { check, text } = provider.received.at(-1) ?? assert.fail();
      const { pages, ...entries } = passport();
      assert.deepEqual(Object.keys(check.document).sort(), ['document_number', 'issuing_country', 'pages']);
      assert.ok(text.includes(JSON.parse(plaintext).pages[0].file));
      assert.deepEqual([check.type, check.callback_url], ['passport', audience()]);
      for (const told of [person.id, person.email, document.id, 'holiday', 'My passport'])
        assert.ok(!text.includes(told), told);
      assert.deepEqual((await state()).state, 'pending');
      assert.equal((await fieldOf(document)).verified_hash, undefined);
      assert.equal(await named(person), false);

      const expires = new Date(platform().clock.now() + 100 * DAY).toISOString().slice(0, 10);
      const answer = await tell(await approval(checkId, { document_expires: expires }));
      assert.equal(answer.status, 204, answer.text);
      const attested = await fieldOf(document);
      assert.ok(await matchesAttestation(plaintext, attested.verified_salt, attested.verified_hash));
      assert.deepEqual(
        [attested.verified_method, attested.verified_provider, attested.verification_id],
        ['id_document', 'test', 'case-7'],
      );
      assert.equal(Date.parse(attested.verified_at), platform().clock.now());
      assert.equal(Date.parse(attested.verified_expires_at), Date.parse(expires) + DAY);
      proves(
        'route:POST /api/person/fields/{id}/verification/document',
        'route:GET /api/person/fields/{id}/verification/document',
      );
      assert.deepEqual([(await state()).state, (await state()).reason], ['approved', null]);
      assert.equal(await named(person, { first_name: 'ADA', last_name: ' lovelace' }), true);
      assert.equal(await named(person, { first_name: 'Grace', last_name: 'Hopper' }), false);
      const stored = JSON.stringify(await snapshot(platform())).toLowerCase();
      for (const secret of ['lovelace', entries.document_number.toLowerCase()])
        assert.ok(!stored.includes(secret), secret);
      platform().clock.advance(102 * DAY);
      assert.equal(await named(person), false, 'the document has expired');
      platform().clock.advance(-102 * DAY);
      assert.ok(token);
    });

    test('a file in plaintext is read where it is stored', async () => {
      const document = await withDocument({ isPrivate: false });
      const refused = await document.start({ value: document.plaintext });
      assert.deepEqual([refused.status, refused.body.issues[0].path], [400, '/value']);
      const checkId = await handedOver(document);
      assert.equal((await tell(await approval(checkId))).status, 204);
      const attested = await fieldOf(document);
      const { token } = document;
      const { value } = await platform().must('GET', `${document.path}/file`, { token });
      assert.ok(await matchesAttestation(value, attested.verified_salt, attested.verified_hash));
      assert.equal(attested.verified_expires_at, undefined);
    });

    test('live slots get the attestation with an event, and lose it with the file', async () => {
      const document = await withDocument({ isPrivate: false });
      const { person, token } = document;
      const service = await createService(platform(), await registerCompany(platform()), [
        { slug: 'pass', label: 'Passport', type: 'passport' },
      ]);
      const decision = { request_field_id: service.rows.pass, kind: 'live', field_id: document.id };
      const { connection_id } = await platform().must('POST', '/api/person/connections', {
        token,
        body: { company_code: service.company.code, service_code: service.code, decisions: [decision] },
      });
      const client = await createDataClient(platform(), service);
      const reads = { token: await tokenFor(platform(), client.clientId, client.clientSecret) };
      const answered = async () =>
        (await platform().must('GET', `/api/company-data/connections/${connection_id}`, reads)).values.pass;
      await forgetEvents(platform());
      await tell(await approval(await handedOver(document)));
      assert.deepEqual(await eventNames(platform(), service.id), ['field_updated pass']);
      const given = await answered();
      assert.equal(given.verified_method, 'id_document');
      const file = await platform().must('GET', given.value_url, reads);
      proves('route:GET /api/company-data/connections/{connectionId}/slots/{serviceFieldId}/file');
      assert.ok(await matchesAttestation(file.value, given.verified_salt, given.verified_hash));
      assert.ok(!JSON.stringify(given).includes('name'), 'nothing of the name');

      await document.put(JSON.stringify(passport()));
      assert.equal((await answered()).verified_hash, undefined);
      assert.equal((await fieldOf(document)).verified_hash, undefined);
      assert.equal(await named(person), false);
      assert.equal(await document.state(), null);
    });

    test('a deleted file, a deleted field and a withdrawn verification are verified no more', async () => {
      for (const end of ['/file', '', '/verification']) {
        const document = await withDocument();
        await tell(await approval(await handedOver(document)));
        assert.equal(await named(document.person), true);
        await platform().must('DELETE', `${document.path}${end}`, { token: document.token });
        assert.equal(await named(document.person), false, end);
      }
    });

    test('a result for a file that changed, or that was withdrawn, verifies nothing', async () => {
      const ends: ((document: Document) => Promise<unknown>)[] = [
        (document) => document.put(JSON.stringify(passport())),
        ({ path, token }) => platform().must('DELETE', path, { token }),
        ({ path, token }) => platform().must('DELETE', `${path}/file`, { token }),
        ({ path, token }) => platform().must('DELETE', `${path}/verification`, { token }),
        async (document) => document.start(),
        async () => platform().clock.advance(limits.documentCheckMs),
      ];
      for (const end of ends) {
        const document = await withDocument();
        const checkId = await handedOver(document);
        await end(document);
        const answer = await tell(await approval(checkId));
        assert.deepEqual([answer.status, answer.body.error_key], [404, 'verification.check_not_found']);
        assert.equal(await named(document.person), false);
      }
      proves('error:verification.check_not_found', 'limit:documentCheckMs');
      await sweepAll(platform().context.domain.sweeps, platform().context);
      const left = await platform()
        .context.database.reader.selectFrom('identity_checks')
        .select('id')
        .execute();
      assert.deepEqual(left, []);
    });

    test('the outcome of a document is shown for as long as its result is taken', async () => {
      const { path, person, start } = await withDocument();
      await start();
      const told = async () => {
        const { read: headers } = await signInByCookie(platform(), person);
        return (await platform().must('GET', `${path}/verification/document`, { headers })).check?.state;
      };
      platform().clock.advance(limits.documentCheckMs - 1);
      assert.equal(await told(), 'pending');
      platform().clock.advance(1);
      assert.equal(await told(), undefined);
    });

    test('a result counts once, whoever repeats it and whatever a later one says', async () => {
      const document = await withDocument();
      const checkId = await handedOver(document);
      const [first, ...others] = await Promise.all(
        Array.from({ length: 4 }, async () => tell(await approval(checkId))),
      );
      assert.deepEqual([first?.status, ...others.map(({ status }) => status)], [204, 204, 204, 204]);
      const attested = await fieldOf(document);
      platform().clock.advance(60_000);
      assert.equal((await tell(await approval(checkId, { jti: 'another' }))).status, 204);
      proves('route:POST /api/verification/results');
      assert.equal((await tell(await rejection(checkId))).status, 204);
      assert.deepEqual(await fieldOf(document), attested);
      const { path, token } = document;
      await platform().must('DELETE', `${path}/verification`, { token });
      assert.equal((await tell(await approval(checkId))).status, 404, 'a withdrawn one does not come back');
      assert.equal(await named(document.person), false);
    });

    test('a rejected document is shown with its reason, and an expired one is rejected', async () => {
      const document = await withDocument();
      await tell(await rejection(await handedOver(document), 'not_genuine'));
      const { state, reason } = await document.state();
      assert.deepEqual([state, reason], ['rejected', 'not_genuine']);
      const again = await handedOver(document);
      const expired = new Date(platform().clock.now() - DAY).toISOString().slice(0, 10);
      await tell(await approval(again, { document_expires: expired }));
      assert.equal((await document.state()).reason, 'expired');
      assert.equal((await fieldOf(document)).verified_hash, undefined);
      assert.equal(await named(document.person), false);
    });

    test('what the provider did not sign, for this platform and now, is no result', async () => {
      const document = await withDocument();
      const sub = await handedOver(document);
      const good = { sub, aud: audience(), outcome: 'approved', jti: 'x', ...ADA };
      const now = Math.floor(platform().clock.now() / 1000);
      const at = platform().clock;
      const foreign = new TextEncoder().encode('another secret, of another provider');
      const unsigned = (await provider.result(good, at)).split('.');
      const none = Buffer.from('{"alg":"none"}').toString('base64url');
      const wrong = [
        'x',
        `${none}.${unsigned[1]}.`,
        await provider.result(good, at, foreign),
        await provider.result({ ...good, aud: provider.environment.SYMBOLON_IDENTITY_URL ?? '' }, at),
        await provider.result({ ...good, aud: 'https://other.example.com/api/verification/results' }, at),
        await provider.result({ ...good, iat: now - 400, exp: now + 60 }, at),
        await provider.result({ ...good, exp: now - 60 }, at),
        await provider.result({ ...good, outcome: 'maybe' }, at),
        await provider.result({ ...good, first_name: ' ' }, at),
        await provider.result({ ...good, last_name: 'x'.repeat(201) }, at),
        await provider.result({ ...good, jti: '' }, at),
        await provider.result({ ...good, document_expires: '2026-13-45' }, at),
        await provider.result({ sub, aud: audience(), outcome: 'rejected', reason: 'because' }, at),
      ];
      for (const [index, result] of wrong.entries()) {
        const answer = await tell(result);
        assert.deepEqual(
          [answer.status, answer.body.error_key],
          [401, 'verification.result_invalid'],
          `${index}: ${answer.text}`,
        );
      }
      proves('error:verification.result_invalid');
      assert.equal((await tell('x'.repeat(8193))).status, 400);
      assert.equal((await tell('x'.repeat(20_000))).status, 413);
      assert.equal((await document.state()).state, 'pending');
      assert.equal(await named(document.person), false);
    });

    test('what is no identity document is not forwarded', async () => {
      const before = provider.received.length;
      const text = await withDocument();
      const cases: [Document, object, number, string][] = [
        [await withDocument({ type: 'legal_document' }), {}, 400, 'verification.unsupported'],
        [text, {}, 400, 'request.invalid'],
        [text, { value: '{}' }, 400, 'contact_data.value_invalid'],
        [text, { value: 'no envelope' }, 400, 'contact_data.value_invalid'],
        [
          text,
          { value: JSON.stringify(passport(Buffer.alloc(limits.fileBytes + 1))) },
          413,
          'contact_data.file_too_large',
        ],
      ];
      for (const [document, body, status, key] of cases) {
        const answer = await document.start(body);
        assert.deepEqual([answer.status, answer.body.error_key], [status, key]);
        assert.equal(await document.state(), null);
      }
      const empty = await withDocument();
      await platform().must('DELETE', `${empty.path}/file`, { token: empty.token });
      assert.equal((await empty.start()).body.error_key, 'contact_data.file_not_found');
      assert.equal(provider.received.length, before);
    });

    test('a provider that fails leaves nothing behind', async () => {
      const document = await withDocument();
      provider.status = 500;
      const answer = await document.start();
      provider.status = 202;
      assert.deepEqual([answer.status, answer.body.error_key], [503, 'verification.provider_unavailable']);
      assert.equal(answer.headers.get('retry-after'), '60');
      proves('error:verification.provider_unavailable');
      assert.equal(await document.state(), null);
    });

    test('a person has ten documents looked at in a day', async () => {
      const document = await withDocument();
      for (let count = 0; count < limits.documentChecksPerDay; count++)
        assert.equal((await document.start()).status, 202);
      const answer = await document.start();
      assert.deepEqual([answer.status, answer.body.error_key], [429, 'rate_limit.exceeded']);
      proves('limit:documentChecksPerDay');
      assert.equal((await (await withDocument()).start()).status, 202, 'others are not affected');
    });
  },
  environment,
);

onPlatform('a platform without a provider', (platform) => {
  test('verifies no documents and takes no results', async () => {
    const person = await registerPerson(platform());
    const { token } = person;
    const body = { type: 'passport', label: 'Passport', slug: 'pass', private: true };
    const { id } = await platform().must('POST', '/api/person/fields', { token, body });
    const path = `/api/person/fields/${id}/verification/document`;
    const started = await platform().call('POST', path, { token, body: { value: 'x' } });
    assert.deepEqual([started.status, started.body.error_key], [400, 'verification.unsupported']);
    const told = await platform().call('POST', RESULTS, { body: { result: 'x' } });
    assert.equal(told.body.error_key, 'verification.result_invalid');
  });
});
