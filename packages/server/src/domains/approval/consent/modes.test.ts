import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type ConsentClaim, consentDecisionText } from '@symbolon/protocol';
import {
  connect,
  createField,
  createService,
  decisionsFor,
  openSealed,
  publish,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import {
  createApp,
  decide,
  type Opened,
  opened,
  openRequest,
  pollResult,
  signIn,
  type TestApp,
  told,
} from '@symbolon/testkit/actors/consent';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import { setLevel } from '@symbolon/testkit/actors/second-factor';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';

const ROWS = [
  { slug: 'email', label: 'E-mail', type: 'email', mandatory_provide: true },
  { slug: 'note', label: 'Note', type: 'text' },
] as const;

onPlatform('approving at the consent page', (platform) => {
  const setUp = async (settings: object = {}, rows: readonly (typeof ROWS)[number][] = ROWS) => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company, rows);
    const app = await createApp(platform(), company, { service_id: service.id, ...settings });
    return { company, service, app, person: await registerPerson(platform()) };
  };
  const approve = (person: TestPerson, request: Opened, more: object = {}) =>
    decide(platform(), person, 'approve', request, more);
  const mailOf = (person: TestPerson, value = 'a@b.example') =>
    createField(platform(), person, { type: 'email', slug: `mail_${value.length}`, value });
  const signInOf = (app: TestApp) =>
    platform()
      .context.database.reader.selectFrom('sign_ins')
      .selectAll()
      .where('client_id', '=', app.id)
      .execute();

  test('connect accepts what the service asks, and the connection is there before the code', async () => {
    const { app, service, person } = await setUp();
    const answer = await openRequest(platform(), app, {
      mode: 'connect',
      claims: JSON.stringify([{ name: 'beside', type: 'text' }]),
    });
    assert.deepEqual(
      [
        answer.body.service,
        answer.body.connect.service.public_key,
        answer.body.connect.request_fields.map(({ slug }: { slug: string }) => slug),
      ],
      [{ id: service.id, name: 'Shop', share_code: service.code }, service.publicKey, ['email', 'note']],
    );
    const begun = await decide(platform(), person, 'begin', answer.body);
    assert.deepEqual(
      [begun.body.connected, begun.body.request_fields],
      [false, answer.body.connect.request_fields],
      'nothing is answered yet',
    );
    proves('error:contact_data.mandatory_missing');
    const missing = await approve(person, answer.body);
    assert.deepEqual([missing.status, missing.body.missing], [422, ['email']]);
    assert.deepEqual(await signInOf(app), []);
    const field = await mailOf(person);
    const decisions = await decisionsFor(service.rows, { email: { field, value: 'a@b.example' } });
    const claims = [{ name: 'beside', wrapper: await sealed('claim') }];
    const approved = await approve(person, answer.body, { decisions, claims });
    assert.equal(approved.status, 200, approved.text);
    assert.deepEqual(await eventNames(platform(), service.id), ['connection_created']);
    const [row] = await signInOf(app);
    assert.equal(row?.mode, 'connect');
    assert.equal(await openSealed(JSON.parse(row?.claims ?? '').beside), 'claim');
    const { connections } = await platform().must('GET', '/api/person/connections', { token: person.token });
    assert.deepEqual(
      connections[0].mappings.map((one: { slug: string; kind: string }) => [one.slug, one.kind]),
      [['email', 'live']],
    );
  });

  test('connect asks who is connected for what is pending alone', async () => {
    const { app, company, service, person } = await setUp({}, []);
    await connect(platform(), person, service);
    await forgetEvents(platform());
    const first = await opened(platform(), app, { mode: 'connect' });
    const nothing = await decide(platform(), person, 'begin', first);
    assert.deepEqual([nothing.body.connected, nothing.body.request_fields], [true, []]);
    const none = await approve(person, first, {
      decisions: [{ request_field_id: service.id, kind: 'one_time', value: await sealed('x') }],
    });
    assert.equal(none.body.error_key, 'contact_data.decision_invalid');
    assert.equal((await approve(person, first)).status, 200);

    const rows = await publish(platform(), company, service.id, [ROWS[1]]);
    await forgetEvents(platform());
    const second = await opened(platform(), app, { mode: 'connect' });
    const asked = await decide(platform(), person, 'begin', second);
    assert.deepEqual(
      asked.body.request_fields.map(({ slug }: { slug: string }) => slug),
      ['note'],
    );
    const decisions = await decisionsFor(rows, { note: { once: 'hello' } });
    assert.equal((await approve(person, second, { decisions })).status, 200);
    assert.deepEqual(await eventNames(platform(), service.id), ['consent_accepted note']);
    assert.equal((await signInOf(app)).length, 2);
  });

  test('connecting and the code are there together, or neither', async () => {
    const { app, service, person } = await setUp({}, [ROWS[1]]);
    const request = await opened(platform(), app, { mode: 'connect' });
    const answers = await Promise.all([1, 2, 3].map(() => approve(person, request)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(
      [(await signInOf(app)).length, (await eventNames(platform(), service.id)).length],
      [1, 1],
    );
    const eve = await registerPerson(platform());
    const stale = await opened(platform(), app, { mode: 'connect' });
    await decide(platform(), person, 'refuse', stale);
    assert.equal((await approve(eve, stale)).status, 403);
    const { connections } = await platform().must('GET', '/api/person/connections', { token: eve.token });
    assert.deepEqual(connections, []);
  });

  test('connect and enrolling need a service', async () => {
    const { app, company, service } = await setUp();
    const bare = await createApp(platform(), company);
    proves('error:oauth.connect_no_service');
    for (const mode of ['connect', '2fa_enroll']) {
      const refused = await openRequest(platform(), bare, { mode });
      assert.deepEqual([refused.status, refused.body.error_key], [400, 'oauth.connect_no_service']);
    }
    const request = await opened(platform(), app, { mode: 'connect' });
    await platform().must('DELETE', `/api/services/${service.id}`, { token: company.token });
    const gone = await approve(await registerPerson(platform()), request);
    assert.equal(gone.body.error_key, 'oauth.connect_no_service');
  });

  test('connecting and enrolling are for the service that the person was shown', async () => {
    const { app, company, person } = await setUp();
    const other = await createService(platform(), company);
    const state = 'state-of-the-enrolment';
    const requests = await Promise.all([
      opened(platform(), app, { mode: 'connect' }),
      opened(platform(), app, { mode: '2fa_enroll' }),
      opened(platform(), app, { mode: '2fa_enroll', response_mode: 'detached', state }),
    ]);
    await platform().must('PUT', `/api/account/oauth-apps/${app.id}`, {
      token: company.token,
      body: { redirect_uris: [app.redirectUri], service_id: other.id },
    });
    for (const request of requests) {
      const answer = await approve(person, request);
      assert.deepEqual([answer.status, answer.body.error_key], [410, 'oauth.request_expired']);
    }
    const { connections } = await platform().must('GET', '/api/person/connections', { token: person.token });
    const enrolled = await platform().must('GET', '/api/person/two-factor/enrollments', person);
    assert.deepEqual([connections, enrolled.enrollments], [[], []]);
  });

  test('enrolling mints no code, is for the app’s service alone, and is reported both ways', async () => {
    const { app, company, service, person } = await setUp({ confidential: false, detached: true });
    const request = await opened(platform(), app, {
      mode: '2fa_enroll',
      state: 's',
      code_challenge: '',
      code_challenge_method: '',
    });
    assert.equal((await decide(platform(), person, 'begin', request)).body.enrolled, false);
    const enrolled = await approve(person, request);
    assert.deepEqual(told(enrolled.body.redirect_to), {
      tenant: 'a b',
      enrolled: 'true',
      state: 's',
      iss: platform().url,
    });
    assert.deepEqual(await signInOf(app), []);
    const list = await platform().must('GET', '/api/person/two-factor/enrollments', person);
    proves('route:GET /api/person/two-factor/enrollments');
    assert.deepEqual(
      list.enrollments.map((one: { service: { id: string } }) => one.service.id),
      [service.id],
    );
    const state = 'state-of-the-enrolment';
    const detached = await opened(platform(), app, { mode: '2fa_enroll', response_mode: 'detached', state });
    proves('route:POST /api/consent/requests/{id}/begin');
    assert.equal((await decide(platform(), person, 'begin', detached)).body.enrolled, true);
    const { digits } = (await pollResult(platform(), app, state)).body;
    assert.deepEqual((await approve(person, detached, { digits })).body, { detached: true });
    assert.deepEqual((await pollResult(platform(), app, state)).body, { enrolled: true, state });
    const claims = JSON.stringify([{ name: 'a', type: 'text' }]);
    const asking = await openRequest(platform(), app, { mode: '2fa_enroll', claims });
    assert.equal(told(asking.body.redirect_to).error, 'invalid_request');

    const again = await opened(platform(), app, { mode: '2fa_enroll' });
    const earlier = await opened(platform(), app, { mode: '2fa_enroll' });
    await setLevel(platform(), company.id, 'basic');
    const refused = await openRequest(platform(), app, { mode: '2fa_enroll' });
    assert.equal(told(refused.body.redirect_to).error, 'unauthorized_client');
    assert.equal((await approve(person, again)).status, 200, 'who is enrolled stays so');
    const late = await approve(await registerPerson(platform()), earlier);
    proves('error:twofa.level_required');
    assert.equal(late.body.error_key, 'twofa.level_required');
  });

  test('claims are answered by fields of their type or a descendant, sealed, and by the person’s own alone', async () => {
    const { app, person } = await setUp();
    const eve = await registerPerson(platform());
    const asked = [
      { name: 'text', type: 'text', required: true },
      { name: 'mail', type: 'email' },
    ];
    const request = await opened(platform(), app, { mode: 'one_time', claims: JSON.stringify(asked) });
    const mail = await mailOf(person);
    const note = await createField(platform(), person, { type: 'text', slug: 'note', value: 'x' });
    const theirs = await mailOf(eve);
    const wrapper = await sealed('x');
    const text = { name: 'text', field_id: mail, wrapper };
    proves(
      'error:oauth.claims_missing',
      'error:oauth.claim_invalid',
      'error:contact_data.encryption_required',
      'error:contact_data.type_mismatch',
    );
    for (const [claims, status, key] of [
      [[], 422, 'oauth.claims_missing'],
      [[{ name: 'mail', wrapper }], 422, 'oauth.claims_missing'],
      [[text, { name: 'mail', field_id: note, wrapper }], 422, 'contact_data.type_mismatch'],
      [[text, { name: 'mail', field_id: theirs, wrapper }], 404, 'contact_data.not_found'],
      [[text, { name: 'mail', wrapper: 'a@b.example' }], 400, 'contact_data.encryption_required'],
      [[text, { name: 'mail' }], 400, 'contact_data.encryption_required'],
      [[text, { name: 'mail', wrapper: { _enc: 1, k: 'x' } }], 400, 'contact_data.wrapper_invalid'],
      [[text, { name: 'mail', plaintext: 'a@b.example' }], 400, 'oauth.claim_invalid'],
      [[text, { name: 'mail', wrapper, plaintext: 'a@b.example' }], 400, 'oauth.claim_invalid'],
      [[text, { name: 'other', wrapper }], 400, 'oauth.claim_invalid'],
      [[text, text], 400, 'oauth.claim_invalid'],
    ] as const) {
      const refused = await approve(person, request, { claims });
      assert.deepEqual([refused.status, refused.body.error_key], [status, key], JSON.stringify(claims));
    }
    const decisions = [{ request_field_id: note, kind: 'one_time', value: wrapper }];
    const odd = await approve(person, request, { claims: [text], decisions });
    assert.equal(odd.body.error_key, 'contact_data.decision_invalid');
    assert.deepEqual(await signInOf(app), []);
    assert.equal((await approve(person, request, { claims: [text] })).status, 200);
    const [row] = await signInOf(app);
    assert.deepEqual(Object.keys(JSON.parse(row?.claims ?? '')), ['text']);
  });

  /** A verified address of a person. */
  const verified = async (person: TestPerson, value: string) => {
    const field = await mailOf(person, value);
    const path = `/api/person/fields/${field}/verification`;
    await platform().must('POST', path, { token: person.token, body: { value } });
    const code = await codeOf(platform(), value);
    await platform().must('POST', `${path}/confirm`, { token: person.token, body: { value, code } });
    return field;
  };
  const OIDC = { mode: '', response_mode: '', response_type: 'code', scope: 'openid profile email' };

  test('the standard scopes are the claims name and email, by the stricter of request and app', async () => {
    const config = [
      { name: 'email', required: true, verified: true, verified_max_age_days: 30 },
      { name: 'name', required: true },
    ];
    const { app } = await setUp({ claim_config: config });
    const claims = JSON.stringify([
      { name: 'email', type: 'email', verified: true, verified_max_age_days: 7 },
    ]);
    const shown = async (parameters: Record<string, string>): Promise<ConsentClaim[]> =>
      (await openRequest(platform(), app, { ...OIDC, ...parameters })).body.claims;
    const common = { label: null, suggest: null, delivery: 'wrapper' };
    const name = {
      ...common,
      name: 'name',
      type: 'text',
      required: true,
      verified: false,
      verified_max_age_days: null,
    };
    const email = { ...common, name: 'email', type: 'email', required: true, verified: true };
    assert.deepEqual(await shown({}), [name, { ...email, verified_max_age_days: 30 }]);
    assert.deepEqual(await shown({ claims }), [name, { ...email, verified_max_age_days: 7 }]);
    assert.deepEqual(await shown({ scope: 'openid' }), []);
    const object = JSON.stringify({
      userinfo: { email: { essential: true }, phone_number: null },
      id_token: { name: null, auth_time: { essential: true } },
    });
    assert.deepEqual(
      (await shown({ scope: 'openid', claims: object })).map((claim) => claim.name),
      ['email', 'name'],
    );
    const mistyped = JSON.stringify([{ name: 'email', type: 'text' }]);
    const refused = await openRequest(platform(), app, { ...OIDC, claims: mistyped });
    assert.equal(told(refused.body.redirect_to).error, 'invalid_request');
  });

  test('a claim that must be verified takes a standing attestation, and the app gets it sealed', async () => {
    const { app, person } = await setUp({ claim_config: [{ name: 'email', verified: true }] });
    const request = await opened(platform(), app, { ...OIDC, scope: 'openid email' });
    const wrapper = await sealed('ada@example.com');
    const plain = await mailOf(person, 'b@b.example');
    for (const claims of [[{ name: 'email', wrapper }], [{ name: 'email', field_id: plain, wrapper }]]) {
      const refused = await approve(person, request, { claims });
      assert.deepEqual([refused.status, refused.body.error_key], [400, 'invalid_request']);
    }
    const field_id = await verified(person, 'ada@example.com');
    assert.equal(
      (await approve(person, request, { claims: [{ name: 'email', field_id, wrapper }] })).status,
      200,
    );
    const [row] = await signInOf(app);
    const attestations = JSON.parse(row?.attestations ?? '');
    assert.deepEqual(Object.keys(attestations), ['email']);
    const { hash, salt, ...attested } = JSON.parse(await openSealed(attestations.email));
    const digest = createHash('sha256').update(`${salt}ada@example.com`).digest('hex');
    assert.equal(hash, digest);
    assert.deepEqual(
      [attested.verified_expires_at, attested.verified_method, attested.verified_provider],
      [null, 'email_code', 'symbolon'],
    );
  });

  test('plaintext is handed over for the id_token alone, and is verified only to the letter', async () => {
    const { app, person } = await setUp({ claims_delivery: 'plaintext', public_key: undefined });
    const minted: unknown[] = [];
    const { codes } = platform().context;
    const mint = codes.mint.bind(codes);
    codes.mint = (writer, grant) => {
      minted.push(grant.plaintext);
      return mint(writer, grant);
    };
    try {
      const field_id = await verified(person, 'ada@example.com');
      const signed = async (email: object) => {
        const request = await opened(platform(), app, OIDC);
        return approve(person, request, {
          claims: [
            { name: 'name', plaintext: 'Ada' },
            { name: 'email', ...email },
          ],
        });
      };
      for (const email of [
        { field_id, plaintext: 'ada@example.com' },
        { field_id, plaintext: 'Ada@example.com' },
        { field_id, plaintext: 'eve@example.com' },
        { plaintext: 'ada@example.com' },
      ])
        assert.equal((await signed(email)).status, 200);
      assert.deepEqual(minted, [
        { name: 'Ada', email: 'ada@example.com', email_verified: true },
        { name: 'Ada', email: 'Ada@example.com', email_verified: false },
        { name: 'Ada', email: 'eve@example.com', email_verified: false },
        { name: 'Ada', email: 'ada@example.com', email_verified: false },
      ]);
      for (const [email, key] of [
        [{ plaintext: 'no address' }, 'contact_data.value_invalid'],
        [{ plaintext: '' }, 'contact_data.value_invalid'],
        [{ wrapper: await sealed('x') }, 'oauth.claim_invalid'],
      ] as const)
        assert.equal((await signed(email)).body.error_key, key);
      const rows = await signInOf(app);
      assert.ok(!JSON.stringify(rows).includes('ada@'));
      const further = JSON.stringify([{ name: 'note', type: 'text' }]);
      const keyless = await openRequest(platform(), app, { ...OIDC, claims: further });
      assert.equal(told(keyless.body.redirect_to).error, 'invalid_request');
    } finally {
      codes.mint = mint;
    }
  });

  test('an app that wants a verified address takes it only when exactly that text is attested', async () => {
    const { app, person } = await setUp({
      claims_delivery: 'plaintext',
      claim_config: [{ name: 'email', verified: true }],
    });
    const field_id = await verified(person, 'ada@example.com');
    const request = await opened(platform(), app, { ...OIDC, scope: 'openid email' });
    const hand = (plaintext: string) =>
      approve(person, request, { claims: [{ name: 'email', field_id, plaintext }] });
    const refused = await hand('eve@example.com');
    assert.deepEqual([refused.status, refused.body.error_key], [400, 'invalid_request']);
    assert.equal((await hand('ada@example.com')).status, 200);
  });

  /** A proof for a decision, by the login secret. */
  const proofOf = (person: TestPerson, more: object = {}) => ({
    kind: 'password',
    login_secret: person.loginSecret,
    ...more,
  });
  const actOf = ({ request_id }: Opened, decision: object) =>
    `consent ${request_id} ${createHash('sha256').update(consentDecisionText(decision)).digest('hex')}`;

  test('an app or a service that wants two factors gets them proven, for exactly this decision', async () => {
    const { app, company, service, person } = await setUp({ require_2fa: true }, []);
    const request = await opened(platform(), app);
    assert.deepEqual((await openRequest(platform(), app)).body.needs, { two_factor: true, presence: true });
    proves('error:auth.two_factor_required');
    for (const more of [{}, { proof: proofOf(person) }]) {
      const refused = await approve(person, request, more);
      assert.deepEqual([refused.status, refused.body.error_key], [401, 'auth.two_factor_required']);
    }
    const mailed = async (act: string) => {
      await platform().must('POST', '/api/person/presence/mailed-code', {
        token: person.token,
        body: { act },
      });
      return codeOf(platform(), person.email);
    };
    // A code for another decision proves nothing here.
    const other = await mailed(actOf(request, { claims: [{ name: 'x' }] }));
    const wrong = await approve(person, request, { proof: proofOf(person, { mailed_code: other }) });
    assert.equal(wrong.status, 401);
    const mailed_code = await mailed(actOf(request, {}));
    const approved = await approve(person, request, { proof: proofOf(person, { mailed_code }) });
    assert.equal(approved.status, 200, approved.text);
    assert.equal((await signInOf(app))[0]?.two_factor, 1);

    const plain = await createApp(platform(), company, { service_id: service.id });
    const path = `/api/services/${service.id}/require-2fa`;
    await platform().must('PUT', path, { token: company.token, body: { require_2fa: true } });
    for (const mode of ['connect', '2fa_enroll']) {
      const asking = await openRequest(platform(), plain, { mode });
      assert.equal(asking.body.needs.two_factor, true);
      assert.equal((await approve(person, asking.body)).body.error_key, 'auth.two_factor_required');
      const code = await mailed(actOf(asking.body, {}));
      const proof = proofOf(person, { mailed_code: code });
      const done = await approve(person, asking.body, { proof });
      assert.equal(done.status, 200, done.text);
    }
    assert.equal((await openRequest(platform(), plain)).body.needs.two_factor, false);
    assert.equal(await signIn(platform(), plain, person).then((code) => code.length > 0), true);
  });

  test('prompt=login and max_age take a proof of presence', async () => {
    const { app, person } = await setUp();
    for (const parameters of [{ prompt: 'login' }, { max_age: '0' }]) {
      const answer = await openRequest(platform(), app, { ...OIDC, scope: 'openid', ...parameters });
      proves('route:POST /api/consent/requests');
      assert.deepEqual(answer.body.needs, { two_factor: false, presence: true });
      assert.equal((await approve(person, answer.body)).status, 401);
      assert.equal((await approve(person, answer.body, { proof: proofOf(person) })).status, 200);
    }
    const silent = await platform().call('POST', '/api/consent/requests', {
      token: person.token,
      body: {
        query: new URLSearchParams({
          client_id: app.id,
          redirect_uri: app.redirectUri,
          response_type: 'code',
          scope: 'openid',
          prompt: 'none',
        }).toString(),
      },
    });
    assert.equal(told(silent.body.redirect_to).error, 'consent_required');
  });
});

/** The code of the last mail to an address. */
async function codeOf(platform: TestPlatform, address: string): Promise<string> {
  const mail = (await mailsTo(platform, address)).at(-1);
  return /\b\d{6}\b/.exec(mail ?? '')?.[0] ?? '';
}
