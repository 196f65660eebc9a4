import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { registerCompany, registerPerson, sealed } from '@symbolon/testkit/actors/actors';
import {
  createApp,
  decide,
  opened,
  openRequest,
  signIn,
  told,
  VERIFIER,
} from '@symbolon/testkit/actors/consent';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

onPlatform(
  'hostile apps and people at the consent page',
  (platform) => {
    const setUp = async (settings: object = {}) => {
      const company = await registerCompany(platform());
      const app = await createApp(platform(), company, settings);
      return { company, app, person: await registerPerson(platform()) };
    };

    test('claims may have names of members that every object has', async () => {
      const { app, person } = await setUp();
      const names = ['constructor', 'toString', '__proto__'];
      const claims = JSON.stringify(names.map((name) => ({ name, type: 'email' })));
      const request = await opened(platform(), app, { mode: 'one_time', claims });
      const begun = await decide(platform(), person, 'begin', request);
      assert.deepEqual([begun.status, begun.body.remembered], [200, {}], begun.text);
      const wrapper = await sealed('a@b.example');
      const answers = { claims: names.map((name) => ({ name, wrapper })) };
      assert.equal((await decide(platform(), person, 'approve', request, answers)).status, 200);
    });

    test('one person cannot store values without end', async () => {
      const { app, person } = await setUp();
      const claims = JSON.stringify([{ name: 'Mail', type: 'email' }]);
      const answers = { claims: [{ name: 'Mail', wrapper: await sealed('a@b.example') }] };
      const statuses: number[] = [];
      for (let round = 0; round < 31; round++) {
        const request = await opened(platform(), app, { mode: 'one_time', claims });
        statuses.push((await decide(platform(), person, 'approve', request, answers)).status);
      }
      assert.deepEqual(statuses, [...Array<number>(30).fill(200), 429]);
      // Signing in goes on.
      assert.notEqual(await signIn(platform(), app, person), '');
      proves('limit:sign-in-values');
    });

    test('one person does not fill the audit log of a company', async () => {
      const { app, company, person } = await setUp();
      for (const who of [person, person, await registerPerson(platform())]) {
        const request = await opened(platform(), app);
        assert.equal((await decide(platform(), who, 'refuse', request, { not_me: true })).status, 200);
      }
      const { items } = await platform().must('GET', '/api/account/audit-log', { token: company.token });
      const told = items.filter(({ action }: { action: string }) => action === 'oauth_app.sign_in_disowned');
      assert.equal(told.length, 2);
      const { sign_ins } = await platform().must('GET', '/api/person/sign-ins', { token: person.token });
      assert.deepEqual(
        sign_ins.map(({ outcome }: { outcome: string }) => outcome),
        ['not_me', 'not_me'],
      );
      proves('limit:disowned-sign-ins');
    });

    test('of what a person is shown the oldest goes when it is too much', async () => {
      const { app, person } = await setUp();
      await signIn(platform(), app, person);
      const { database, ids } = platform().context;
      const rows = () =>
        database.reader.selectFrom('sign_in_log').selectAll().where('person_id', '=', person.id);
      const one = await rows().executeTakeFirstOrThrow();
      await database.write(async (writer) => {
        for (let count = 1; count < limits.signInLogMost; count++)
          await writer
            .insertInto('sign_in_log')
            .values({ ...one, id: ids.uuid() })
            .execute();
      });
      await signIn(platform(), app, person);
      const left = (await rows().execute()).map(({ id }) => id);
      assert.deepEqual([left.length, left.includes(one.id)], [limits.signInLogMost, false]);
      proves('limit:signInLogMost');
    });

    test('what people chose for an app goes with it, in steps', async () => {
      const { app, company, person } = await setUp();
      const other = await createApp(platform(), company);
      const claims = JSON.stringify([{ name: 'Mail', type: 'email' }]);
      const answers = { claims: [{ name: 'Mail', wrapper: await sealed('a@b.example') }] };
      for (const each of [app, other])
        await signIn(platform(), each, person, { mode: 'one_time', claims }, answers);
      const { database, domain } = platform().context;
      const clientsIn = async (table: 'claim_choices' | 'sign_in_log' | 'deleted_oauth_apps') => {
        const rows = await database.reader
          .selectFrom(table)
          .select('client_id')
          .where('company_id', '=', company.id)
          .execute();
        return rows.map(({ client_id }) => client_id);
      };
      const sweep = async () => {
        for (const { run } of domain.sweeps) await run(new AbortController().signal);
      };
      await platform().must('DELETE', `/api/account/oauth-apps/${app.id}`, { token: company.token });
      await sweep();
      assert.deepEqual(await clientsIn('claim_choices'), [other.id]);
      assert.deepEqual(await clientsIn('sign_in_log'), [other.id]);
      assert.deepEqual(await clientsIn('deleted_oauth_apps'), [app.id]);
      platform().clock.advance(3_600_000);
      await sweep();
      assert.deepEqual(await clientsIn('deleted_oauth_apps'), []);
    });

    test('an id_token says when the person proved to be present, and does not guess', async () => {
      const { app, person } = await setUp();
      const claimsOf = async (parameters: Record<string, string>, decision: object) => {
        const oidc = { mode: '', response_mode: '', response_type: 'code', scope: 'openid', ...parameters };
        const code = await signIn(platform(), app, person, oidc, decision);
        const { id_token } = await platform().must('POST', '/oauth2/token', {
          body: new URLSearchParams({
            grant_type: 'authorization_code',
            client_id: app.id,
            client_secret: app.secret ?? '',
            code,
            redirect_uri: app.redirectUri,
            code_verifier: VERIFIER,
          }),
        });
        return JSON.parse(Buffer.from(id_token.split('.')[1], 'base64url').toString());
      };
      // The session may be weeks old.
      assert.equal('auth_time' in (await claimsOf({}, {})), false);
      const proof = { kind: 'password', login_secret: person.loginSecret };
      const proven = await claimsOf({ max_age: '60' }, { proof });
      assert.equal(proven.auth_time, Math.floor(platform().clock.now() / 1000));
      const essential = JSON.stringify({ id_token: { auth_time: { essential: true } } });
      assert.equal((await claimsOf({ claims: essential }, { proof })).auth_time, proven.auth_time);
      const voluntary = JSON.stringify({ id_token: { auth_time: null } });
      assert.equal('auth_time' in (await claimsOf({ claims: voluntary }, {})), false);
    });

    test('an essential auth_time asks for a proof, and what an id_token cannot promise is refused', async () => {
      const { app, person } = await setUp();
      const oidc = { mode: '', response_mode: '', response_type: 'code', scope: 'openid' };
      const asking = (id_token: object) => ({ ...oidc, claims: JSON.stringify({ id_token }) });
      const request = await opened(platform(), app, asking({ auth_time: { essential: true } }));
      const answer = await decide(platform(), person, 'approve', request);
      assert.deepEqual([answer.status, answer.body.error_key], [401, 'auth.two_factor_required']);
      for (const [wanted, error] of [
        [{ sub: { value: 'ABC234' } }, 'login_required'],
        [{ acr: { essential: true, values: ['urn:high'] } }, 'unmet_authentication_requirements'],
      ] as const) {
        const { body } = await openRequest(platform(), app, asking(wanted));
        assert.equal(told(body.redirect_to).error, error);
      }
    });
  },
  { SYMBOLON_RATE_CONSENT: '1000' },
);
