import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  connect,
  createField,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import { bytesIn, digestOf, issueContract, signBy } from '@symbolon/testkit/actors/contracts';
import { addPasskey, passkeyProof } from '@symbolon/testkit/actors/passkeys';
import { approve, asked, createAskingService, enrol } from '@symbolon/testkit/actors/second-factor';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { verifiedName } from '../../people/fields/verified-name.ts';

const PDF = plainPdf({ pages: 1 });

withRegions('acts of people at home elsewhere', ['eu', 'us'], (regions) => {
  const home = () => regions().region('eu');
  const companys = () => regions().region('us');
  let person: TestPerson;
  let authenticator: SoftwareAuthenticator;
  let token: string;
  let target: object;
  before(async () => {
    const service = await createService(companys(), await registerCompany(companys()));
    token = await dataToken(companys(), service);
    person = await registerPerson(home());
    authenticator = new SoftwareAuthenticator(`http://localhost:${new URL(regions().url).port}`);
    await addPasskey(home(), person, { authenticator });
    await regions().settle();
    target = { connection_id: await connect(home(), person, service) };
  });

  test('a person signs at home what a company of another region issued', async () => {
    const contract = await issueContract(companys(), { token, target, pdf: PDF });
    const signed = await signBy(home(), person, contract, authenticator);
    assert.deepEqual(
      [signed.status, signed.body.status, signed.body.signatures?.[0]?.method],
      [200, 'active', 'biometric'],
      signed.text,
    );
    const own = await home().must('GET', `/api/person/documents/${contract.id}/file`, {
      token: person.token,
    });
    const path = `/api/company-data/documents/${contract.id}`;
    const theirs = await companys().must('GET', `${path}/sealed-file`, { token });
    for (const copy of [own, theirs]) assert.equal(digestOf(await bytesIn(copy)), signed.body.sealed_sha256);
    // With another proof, in either region, it finds the signature that stands.
    for (const region of [home(), companys()]) {
      const again = await signBy(home(), person, contract, authenticator);
      assert.deepEqual([again.status, again.body.signatures], [200, signed.body.signatures], region.url);
    }
  });

  test('a challenge of the company’s region proves the act, approved at home', async () => {
    const asking = await createAskingService(companys());
    await regions().settle();
    await enrol(companys(), person, asking);
    const theirs = { connection_id: await connect(home(), person, asking) };
    const contract = await issueContract(companys(), { token: asking.dataToken, target: theirs, pdf: PDF });
    const context = `sign document ${contract.id} ${contract.digest}`;
    const { challenge_id } = await asked(companys(), asking, person, { context });
    const sign = () =>
      signBy(home(), person, contract, authenticator, { proof: { kind: 'challenge', challenge_id } });
    assert.equal((await sign()).body.error_key, 'documents.challenge_invalid');
    const act = `approve challenge ${challenge_id}`;
    const proof = await passkeyProof(home(), person.token, act, authenticator);
    proves('route:POST /api/person/presence');
    assert.equal((await approve(home(), person, challenge_id, { proof })).status, 200);
    const signed = await sign();
    assert.deepEqual(
      [signed.status, signed.body.status, signed.body.signatures?.[0]?.method],
      [200, 'active', 'twofa'],
      signed.text,
    );
  });

  test('what the company’s region refuses, the person’s region answers', async () => {
    const contract = await issueContract(companys(), { token, target, pdf: PDF });
    const proof = await passkeyProof(
      home(),
      person.token,
      `sign document ${contract.id} ${contract.digest}`,
      authenticator,
    );
    const refused = await signBy(home(), person, contract, authenticator, { proof, pdf: undefined });
    assert.deepEqual([refused.status, refused.body.error_key], [409, 'documents.content_required']);
    const signed = await signBy(home(), person, contract, authenticator);
    assert.equal(signed.status, 200, signed.text);
  });

  test('the name is compared with the identity that was verified at home', async () => {
    const field = await createField(home(), person, { type: 'text', slug: 'passport', value: 'x' });
    const now = home().clock.now();
    const verification = JSON.stringify({
      verification_id: 'one',
      verified_at: new Date(now).toISOString(),
      verified_expires_at: new Date(now + 86_400_000).toISOString(),
    });
    const names = await verifiedName({ first_name: 'ADA', last_name: 'Lovelace' }, 'one');
    // As a verification leaves it in every region.
    for (const region of [home(), companys()]) {
      await regions().settle();
      await region.context.database.write((writer) =>
        writer
          .updateTable('person_fields')
          .set({ verification, verified_name: names })
          .where('id', '=', field)
          .execute(),
      );
    }
    const isVerified = async (last_name: string) => {
      const contract = await issueContract(companys(), { token, target, pdf: PDF });
      const { body } = await signBy(home(), person, contract, authenticator, { last_name });
      return body.signatures[0].signer_name_verified;
    };
    assert.deepEqual([await isVerified('lovelace'), await isVerified('Byron')], [true, false]);
  });

  test('a region that does not answer costs the proof, and the person hears that the next call needs a new one', async () => {
    const contract = await issueContract(companys(), { token, target, pdf: PDF });
    const refusalOf = async () => {
      const { status, body } = await signBy(home(), person, contract, authenticator);
      return [status, body.error_key, body.proof_used, /new one/.test(body.error)];
    };
    const { maintenance, database } = companys().context;
    const set = async (on: boolean) => {
      await database.write((writer) => maintenance.set(writer, 'out_of_order', on, null));
      await maintenance.apply();
    };
    await set(true);
    try {
      assert.deepEqual(await refusalOf(), [503, 'platform.out_of_order', true, true]);
    } finally {
      await set(false);
    }
    const signed = await signBy(home(), person, contract, authenticator);
    assert.deepEqual([signed.status, signed.body.status], [200, 'active'], signed.text);
    await companys().app.close();
    assert.deepEqual(await refusalOf(), [503, 'region.unavailable', true, true]);
  });
});
