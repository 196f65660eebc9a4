import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { connect, registerPerson, type TestPerson } from '@symbolon/testkit/actors/actors';
import type { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import { issueContract, signBy, type TestContract } from '@symbolon/testkit/actors/contracts';
import { addPasskey, passkeyProof } from '@symbolon/testkit/actors/passkeys';
import {
  type AskingService,
  approve,
  asked,
  createAskingService,
  enrol,
  poll,
} from '@symbolon/testkit/actors/second-factor';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const PDF = plainPdf({ pages: 1 });
const MINUTE = 60_000;

onPlatform('signing by an approved challenge', (platform) => {
  let service: AskingService;
  let person: TestPerson;
  let authenticator: SoftwareAuthenticator;
  let target: object;
  before(async () => {
    service = await createAskingService(platform());
    person = await registerPerson(platform());
    await enrol(platform(), person, service);
    target = { connection_id: await connect(platform(), person, service) };
    ({ authenticator } = await addPasskey(platform(), person));
  });

  const issue = (more: object = {}) =>
    issueContract(platform(), { token: service.dataToken, target, pdf: PDF, more });
  const actOf = ({ id, digest }: TestContract) => `sign document ${id} ${digest}`;
  /** A challenge that the person approved; by the passkey unless said. */
  const approved = async (
    context: string,
    { by = service, proof }: { by?: AskingService; proof?: object } = {},
  ) => {
    const { challenge_id: id } = await asked(platform(), by, person, { context });
    const act = `approve challenge ${id}`;
    const given = proof ?? (await passkeyProof(platform(), person.token, act, authenticator));
    const answer = await approve(platform(), person, id, { proof: given });
    assert.equal(answer.status, 200, answer.text);
    return id;
  };
  const sign = (contract: TestContract, challenge_id: string, more: object = {}) =>
    signBy(platform(), person, contract, authenticator, {
      proof: { kind: 'challenge', challenge_id },
      ...more,
    });
  const isRefused = async (contract: TestContract, challenge: string, why: string) => {
    const { status, body } = await sign(contract, challenge);
    assert.deepEqual([status, body.error_key], [409, 'documents.challenge_invalid'], why);
    const path = `/api/person/documents/${contract.id}`;
    const { status: is, signatures } = await platform().must('GET', path, { token: person.token });
    proves('route:GET /api/person/documents/{id}');
    assert.deepEqual([is, signatures], ['ready_to_sign', []], why);
  };

  test('the service asks for this document, the person approves and signs; the service reads the outcome too', async () => {
    const contract = await issue();
    const challenge = await approved(`The lease of your flat: ${actOf(contract)}`);
    const without = await sign(contract, challenge, { pdf: undefined });
    assert.deepEqual([without.status, without.body.error_key], [409, 'documents.content_required']);
    const signed = await sign(contract, challenge);
    assert.deepEqual(
      [signed.status, signed.body.status, signed.body.signatures?.[0]?.method],
      [200, 'active', 'twofa'],
      signed.text,
    );
    assert.equal((await poll(platform(), service, challenge)).body.status, 'approved');
    const again = await sign(contract, challenge);
    assert.deepEqual([again.status, again.body.signatures], [200, signed.body.signatures]);
    // Whatever becomes of the document, the challenge proves nothing more.
    const { provingChallenges, database } = platform().context;
    const spent = { companyId: service.company.id, serviceId: service.id, personId: person.id };
    const used = { ...spent, challengeId: challenge, act: actOf(contract) };
    const refused = database.write((writer) => provingChallenges.spend(writer, used));
    await assert.rejects(refused, { key: 'documents.challenge_invalid' });
  });

  test('one proves an acceptance that names it, and no signature', async () => {
    const both = await issue({ requires_acceptance: true });
    const accepting = await approved(`accept document ${both.id} ${both.digest}`);
    await isRefused(both, accepting, 'of another act');
    const body = {
      content_sha256: both.digest,
      proof: { kind: 'challenge', challenge_id: accepting },
    };
    const accepted = await platform().call('POST', `/api/person/documents/${both.id}/accept`, {
      token: person.token,
      body,
    });
    assert.deepEqual([accepted.status, accepted.body.signatures?.[0]?.method], [200, 'twofa'], accepted.text);
  });

  test('what was not approved by this person, for this act, by two factors, just now, proves nothing', async () => {
    const contract = await issue();
    const act = actOf(contract);
    const { challenge_id: pending } = await asked(platform(), service, person, { context: act });
    await isRefused(contract, pending, 'pending');
    await isRefused(contract, '019bd0f2-8c00-7000-8000-000000000000', 'unknown');
    await isRefused(contract, await approved(actOf(await issue())), 'of another document');
    await isRefused(
      contract,
      await approved(`sign document ${contract.id} ${'ab'.repeat(32)}`),
      'of other bytes',
    );
    await isRefused(contract, await approved(`${act} or not`), 'the act in the middle');

    const password = { kind: 'password', login_secret: person.loginSecret };
    await isRefused(contract, await approved(act, { proof: password }), 'approved by the login secret alone');

    const stranger = await createAskingService(platform());
    await enrol(platform(), person, stranger);
    await isRefused(contract, await approved(act, { by: stranger }), 'of another service');

    const old = await approved(act);
    platform().clock.advance(5 * MINUTE);
    await isRefused(contract, old, 'approved too long ago');
    proves('error:documents.challenge_invalid');

    const other = await registerPerson(platform());
    await connect(platform(), other, service);
    const { authenticator: theirs } = await addPasskey(platform(), other);
    const target = { person_user_id: other.id };
    const others = await issueContract(platform(), { token: service.dataToken, target, pdf: PDF });
    const proof = { kind: 'challenge', challenge_id: await approved(actOf(others)) };
    const crossed = await signBy(platform(), other, others, theirs, { proof });
    assert.deepEqual([crossed.status, crossed.body.error_key], [409, 'documents.challenge_invalid']);
  });

  test('acts at once by one challenge are one act', async () => {
    const contract = await issue();
    const challenge = await approved(actOf(contract));
    const answers = await Promise.all([1, 2, 3].map(() => sign(contract, challenge)));
    assert.ok(answers.some(({ status }) => status === 200));
    const path = `/api/person/documents/${contract.id}`;
    const { signatures } = await platform().must('GET', path, { token: person.token });
    assert.equal(signatures.length, 1);
  });
});
