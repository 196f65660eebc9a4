import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Presence } from '@symbolon/protocol';
import { registerPerson, type TestPerson } from '@symbolon/testkit/actors/actors';
import { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import { addPasskey, passkeyProof } from '@symbolon/testkit/actors/passkeys';
import { WRONG_SECRET } from '@symbolon/testkit/actors/portal-logins';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { PlatformError } from '../../../core/errors.ts';

const ACT = 'approve challenge 1';

withRegions('proofs of presence across regions', ['eu', 'us'], (regions) => {
  const eu = () => regions().region('eu');
  const us = () => regions().region('us');
  let person: TestPerson;
  let authenticator: SoftwareAuthenticator;
  before(async () => {
    person = await registerPerson(eu());
    // The pages are at the front door, whichever region they speak to.
    authenticator = new SoftwareAuthenticator(`http://localhost:${new URL(regions().url).port}`);
    await addPasskey(eu(), person, { authenticator });
    await regions().settle();
  });
  const ref = () => ({ kind: 'person', personId: person.id }) as const;
  const checkIn = (
    region: 'eu' | 'us',
    proof: Parameters<ReturnType<typeof eu>['context']['presence']['check']>[2],
    act = ACT,
  ) => regions().region(region).context.presence.check(ref(), act, proof, '127.0.0.1', { strong: true });
  const refusal = async (checked: Promise<Presence>): Promise<string> => {
    const error = await checked.catch((thrown: unknown) => thrown);
    assert.ok(error instanceof PlatformError, 'not refused');
    return error.key;
  };

  test('a region asks the home of the person, which uses the proof up for all of them', async () => {
    const options = await us().context.presence.options(ref(), ACT);
    assert.deepEqual([options.rp_id, options.methods], ['localhost', ['passkey', 'password']]);
    const proof = authenticator.proof(options);
    assert.deepEqual(await checkIn('us', proof), { method: 'passkey', twoFactor: true });
    for (const region of ['us', 'eu'] as const)
      assert.equal(await refusal(checkIn(region, proof)), 'auth.passkey_invalid', region);
  });

  test('wrong ones are refused with the key of the home, and count there', async () => {
    const wrong = { kind: 'password', login_secret: WRONG_SECRET } as const;
    assert.equal(await refusal(checkIn('us', wrong)), 'auth.credentials_invalid');
    const weak = { kind: 'password', login_secret: person.loginSecret } as const;
    assert.equal(await refusal(checkIn('us', weak)), 'auth.two_factor_required');
    const proof = await passkeyProof(eu(), person.token, ACT, authenticator);
    assert.equal(await refusal(checkIn('us', proof, 'another act')), 'auth.passkey_invalid');
    assert.equal((await checkIn('us', proof)).method, 'passkey');
  });

  test('what the home found goes along, signed, with the call that it sends on', async () => {
    const proof = await passkeyProof(eu(), person.token, ACT, authenticator);
    const presence = { act: ACT, method: 'passkey', twoFactor: true } as const;
    const forwarded = (act: string) =>
      ({
        principal: { kind: 'person', personId: person.id, presence },
        peer: { region: 'eu', actingFor: undefined, body: '' },
        headers: {},
        ip: '127.0.0.1',
      }) as unknown as Parameters<ReturnType<typeof us>['context']['presence']['presenceOf']>[0] & {
        act: typeof act;
      };
    const { presence: us_ } = us().context;
    const found = await us_.presenceOf(forwarded(ACT), ACT, proof, { strong: true });
    assert.deepEqual(found, { method: 'passkey', twoFactor: true });
    // For another act it is no proof.
    const other = us_.presenceOf(forwarded(ACT), 'revoke enrolment 1', proof, { strong: true });
    assert.equal(await refusal(other), 'auth.passkey_invalid');
  });

  test('no secret goes along: it is taken out of the call once it was checked', async () => {
    const body = { proof: { kind: 'password', login_secret: person.loginSecret } as const };
    const request = {
      principal: { kind: 'person', personId: person.id },
      peer: null,
      headers: {},
      ip: '127.0.0.1',
      body,
    } as unknown as Parameters<ReturnType<typeof eu>['context']['presence']['presenceOf']>[0];
    const { presence } = eu().context;
    const weak = { strong: false };
    const found = await presence.presenceOf(request, ACT, body.proof, weak);
    assert.equal(found.method, 'password');
    assert.ok(!JSON.stringify(request.body).includes(person.loginSecret));
    // A handler that runs again finds what was checked; more than that it does not get.
    assert.equal((await presence.presenceOf(request, ACT, body.proof, weak)).method, 'password');
    const strong = presence.presenceOf(request, ACT, body.proof, { strong: true });
    assert.equal(await refusal(strong), 'auth.two_factor_required');
  });

  test('a passkey signs in at the front door, which knows its home', async () => {
    const signIn = async (base: string) => {
      const asked = await fetch(`${base}/api/person/login/passkey/options`, { method: 'POST' });
      const answer = await fetch(`${base}/api/person/login/passkey`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(authenticator.get((await asked.json()) as { nonce: string })),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
      return { status: answer.status, body: (await answer.json()) as any };
    };
    const { status, body } = await signIn(regions().url);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.person.person_user_id, person.id);
    const elsewhere = await signIn(us().url);
    assert.deepEqual(
      [elsewhere.status, elsewhere.body.error_key, elsewhere.body.api_url],
      [421, 'region.rebase_required', eu().url],
    );
  });

  test('a session by cookie is of the region that it names', async () => {
    const { email, loginSecret: login_secret } = person;
    const signedIn = await eu().call('POST', '/api/person/login', {
      body: { session: 'cookie', email, login_secret },
    });
    const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    assert.match(cookie, /^symbolon_person=spp_eu_/);
    assert.equal((await eu().call('GET', '/api/person/me', { headers: { cookie } })).status, 200);
    const elsewhere = await us().call('GET', '/api/person/me', { headers: { cookie } });
    assert.deepEqual([elsewhere.status, elsewhere.body.api_url], [421, eu().url]);
    const atDoor = await fetch(`${regions().url}/api/person/me`, { headers: { cookie } });
    assert.equal(atDoor.status, 200);
  });
});
