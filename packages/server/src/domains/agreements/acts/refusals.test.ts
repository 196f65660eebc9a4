import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  connect,
  createService,
  dataToken,
  openSealed,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import type { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import { bytesIn, issueContract, signBy, type TestContract } from '@symbolon/testkit/actors/contracts';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import { addPasskey, passkeyProof } from '@symbolon/testkit/actors/passkeys';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { usualEngines } from '@symbolon/testkit/platform/engines';
import { onPlatform, startPlatform } from '@symbolon/testkit/platform/platform';

const PDF = plainPdf({ pages: 1 });
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const OTHER_DIGEST = 'ab'.repeat(32);

onPlatform('acts on documents', (platform) => {
  let token: string;
  let person: TestPerson;
  let authenticator: SoftwareAuthenticator;
  let target: object;
  before(async () => {
    const service = await createService(platform(), await registerCompany(platform()));
    token = await dataToken(platform(), service);
    person = await registerPerson(platform());
    target = { connection_id: await connect(platform(), person, service) };
    ({ authenticator } = await addPasskey(platform(), person));
    connectTo = async (other) => ({ connection_id: await connect(platform(), other, service) });
  });
  let connectTo: (other: TestPerson) => Promise<object>;

  const issue = (more: object = {}, pdf: Uint8Array = PDF) =>
    issueContract(platform(), { token, target, pdf, more });
  const read = (id: string) => platform().must('GET', `/api/person/documents/${id}`, { token: person.token });
  const file = (id: string) =>
    platform().must('GET', `/api/person/documents/${id}/file`, { token: person.token });
  const accept = (id: string, body: object = {}) =>
    platform().call('POST', `/api/person/documents/${id}/accept`, { token: person.token, body });
  const sign = (contract: TestContract, more: object = {}) =>
    signBy(platform(), person, contract, authenticator, more);
  /** Nothing is stored of an act that was refused. */
  const isUntouched = async ({ id, pdf }: TestContract, status = 'ready_to_sign') => {
    const document = await read(id);
    assert.deepEqual([document.status, document.signatures, document.sealed_at], [status, [], null]);
    assert.ok(Buffer.from(pdf).equals(await bytesIn(await file(id))), 'the file is as it was');
  };
  const drain = () => drainAll(platform(), '/api/company-data/changes', token);

  test('what is wrong with an act is found before its proof is used up', async () => {
    const contract = await issue();
    const act = `sign document ${contract.id} ${contract.digest}`;
    const proof = await passkeyProof(platform(), person.token, act, authenticator);
    assert.deepEqual(await refusalOf(sign(contract, { proof, pdf: undefined })), [
      409,
      'documents.content_required',
    ]);
    proves('error:documents.content_required');
    assert.deepEqual(await refusalOf(sign(contract, { proof, content_sha256: OTHER_DIGEST })), [
      409,
      'documents.content_mismatch',
    ]);
    proves('error:documents.content_mismatch');
    await isUntouched(contract);
    const signed = await sign(contract, { proof });
    assert.deepEqual([signed.status, signed.body.status], [200, 'active'], signed.text);
  });

  test('another file, and what is no base64, are refused', async () => {
    const contract = await issue();
    const other = base64(plainPdf({ pages: 2 }));
    assert.deepEqual(await refusalOf(sign(contract, { pdf: other })), [409, 'documents.content_mismatch']);
    assert.deepEqual(await refusalOf(sign(contract, { pdf: 'no base64' })), [
      400,
      'documents.invalid_payload',
    ]);
    const large = Buffer.alloc(15 * 2 ** 20 + 1).toString('base64');
    assert.deepEqual(await refusalOf(sign(contract, { pdf: large })), [413, 'documents.too_large']);
    await isUntouched(contract);
  });

  test('a file that cannot be sealed is refused with the reason, and nothing is stored', async () => {
    const contract = await issue({}, Buffer.from('%PDF-1.7\nnothing of a PDF but its head'));
    const refused = await sign(contract);
    assert.deepEqual([refused.status, refused.body.error_key], [422, 'documents.pdf_unsupported']);
    assert.equal(typeof refused.body.reason, 'string', refused.text);
    proves('error:documents.pdf_unsupported');
    await isUntouched(contract);
    const text = await issue({}, Buffer.from('a text is not signed as a file'));
    assert.deepEqual([(await sign(text)).body.reason], ['not_pdf']);
    await isUntouched(text);
  });

  test('what is not to be signed, and what is not to be accepted', async () => {
    const ended = await issue({ status: 'ended' });
    const withoutDigest = await issue({ plain_sha256: null });
    const toAccept = await issue({ requires_signature: false, requires_acceptance: true });
    for (const contract of [ended, withoutDigest, toAccept])
      assert.deepEqual(await refusalOf(sign(contract)), [409, 'documents.not_signable']);
    proves('error:documents.not_signable');
    const toSign = await issue();
    assert.deepEqual(await refusalOf(accept(toSign.id)), [409, 'documents.not_acceptable']);
    const { id: pending } = await platform().must('POST', '/api/company-data/documents', {
      token,
      body: { kind: 'agreement', name: 'Later', payload_kind: 'file', requires_acceptance: true, target },
    });
    assert.deepEqual(await refusalOf(accept(pending)), [409, 'documents.not_acceptable']);
    proves('error:documents.not_acceptable');
    const unknown = { ...toSign, id: '019bd0f2-8c00-7000-8000-000000000000' };
    assert.deepEqual(await refusalOf(sign(unknown)), [404, 'documents.not_found']);
    const other = await registerPerson(platform());
    const { authenticator: theirs } = await addPasskey(platform(), other);
    assert.deepEqual(await refusalOf(signBy(platform(), other, toSign, theirs)), [
      404,
      'documents.not_found',
    ]);
    await isUntouched(toSign);
  });

  test('the login secret alone signs nothing, nor does a proof for another act', async () => {
    const contract = await issue();
    const password = { kind: 'password', login_secret: person.loginSecret };
    assert.deepEqual(await refusalOf(sign(contract, { proof: password })), [401, 'auth.two_factor_required']);
    const accepting = { requires_signature: false, requires_acceptance: true };
    const other = await issue(accepting);
    const offered = { content_sha256: other.digest, pdf: base64(PDF) };
    assert.deepEqual(await refusalOf(accept(other.id, { ...offered, proof: password })), [
      401,
      'auth.two_factor_required',
    ]);
    for (const act of [
      `sign document ${other.id} ${contract.digest}`,
      `sign document ${contract.id} ${OTHER_DIGEST}`,
      `accept document ${contract.id} ${contract.digest}`,
    ]) {
      const proof = await passkeyProof(platform(), person.token, act, authenticator);
      assert.deepEqual(await refusalOf(sign(contract, { proof })), [401, 'auth.passkey_invalid'], act);
    }
    await isUntouched(contract);
    await isUntouched(other, 'offering');
  });

  test('a mailed code signs the document that it was mailed for, and no other', async () => {
    const someone = await registerPerson(platform(), 'Eve');
    const theirs = await connectTo(someone);
    const contracts = await Promise.all(
      [1, 2].map(() => issueContract(platform(), { token, target: theirs, pdf: PDF })),
    );
    const [first, second] = contracts as [TestContract, TestContract];
    await platform().must('POST', '/api/person/presence/mailed-code', {
      token: someone.token,
      body: { act: `sign document ${first.id} ${first.digest}` },
    });
    const mail = (await mailsTo(platform(), someone.email)).at(-1) ?? '';
    assert.match(mail, /signing a document/);
    const mailed_code = /\b\d{6}\b/.exec(mail)?.[0];
    const proof = { kind: 'password', login_secret: someone.loginSecret, mailed_code };
    const signing = ({ id, digest }: TestContract) =>
      platform().call('POST', `/api/person/documents/${id}/sign`, {
        token: someone.token,
        body: {
          content_sha256: digest,
          first_name: 'Eve',
          last_name: 'Poe',
          proof,
          pdf: base64(PDF),
        },
      });
    assert.deepEqual(await refusalOf(signing(second)), [401, 'auth.second_factor_invalid']);
    const signed = await signing(first);
    assert.deepEqual([signed.status, signed.body.signatures[0]?.method], [200, 'email'], signed.text);
  });

  test('a code of the authenticator app signs; a recovery code does not, and stays good', async () => {
    const someone = await registerPerson(platform(), 'Tom');
    const { token: session, loginSecret: login_secret } = someone;
    const { secret } = await platform().must('POST', '/api/person/totp/enrol', {
      token: session,
      body: await strongProof(someone),
    });
    const code = () => totpCode(fromBase32(secret), platform().clock.now());
    const { recovery_codes } = await platform().must('POST', '/api/person/totp/confirm', {
      token: session,
      body: { code: code() },
    });
    platform().clock.advance(60_000);
    const contract = await issueContract(platform(), { token, target: await connectTo(someone), pdf: PDF });
    const signing = (more: object) =>
      platform().call('POST', `/api/person/documents/${contract.id}/sign`, {
        token: session,
        body: {
          content_sha256: contract.digest,
          first_name: 'Tom',
          last_name: 'Roe',
          proof: { kind: 'password', login_secret, ...more },
          pdf: base64(PDF),
        },
      });
    const [recovery_code] = recovery_codes;
    assert.deepEqual(await refusalOf(signing({ recovery_code })), [401, 'auth.two_factor_required']);
    const left = await platform()
      .context.database.reader.selectFrom('person_recovery_codes')
      .select('code_hash')
      .where('person_id', '=', someone.id)
      .execute();
    assert.equal(left.length, recovery_codes.length);
    const signed = await signing({ code: code() });
    assert.deepEqual([signed.status, signed.body.signatures[0]?.method], [200, 'twofa'], signed.text);
  });

  /** What switches the authenticator app on. */
  async function strongProof({ token: session, loginSecret: login_secret, email }: TestPerson) {
    const act = 'POST /api/person/totp/enrol';
    await platform().must('POST', '/api/person/presence/mailed-code', { token: session, body: { act } });
    const mail = (await mailsTo(platform(), email)).at(-1) ?? '';
    return { login_secret, mailed_code: /\b\d{6}\b/.exec(mail)?.[0] };
  }

  test('an act that is repeated answers what stands, also with a proof that is used up', async () => {
    const contract = await issue();
    const act = `sign document ${contract.id} ${contract.digest}`;
    const proof = await passkeyProof(platform(), person.token, act, authenticator);
    const first = await sign(contract, { proof });
    assert.equal(first.status, 200, first.text);
    await drain();
    const again = await sign(contract, { proof, last_name: 'Somebody' });
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.deepEqual(await drain(), []);
  });

  test('of two devices at once one signs, and the other gets its answer', async () => {
    const contract = await issue();
    await drain();
    const act = 'POST /api/person/passkeys/options';
    const { kind: _, ...passkey } = await passkeyProof(platform(), person.token, act, authenticator);
    const { authenticator: other } = await addPasskey(platform(), person, { proof: { passkey } });
    const answers = await Promise.all([
      signBy(platform(), person, contract, authenticator, { last_name: 'Lovelace' }),
      signBy(platform(), person, contract, other, { last_name: 'Byron' }),
    ]);
    const [one, two] = answers;
    assert.deepEqual([one?.status, two?.status], [200, 200], `${one?.text} ${two?.text}`);
    assert.deepEqual(one?.body, two?.body);
    assert.equal(one?.body.signatures.length, 1);
    assert.equal((await drain()).length, 1);
    const { reader } = platform().context.database;
    const copies = await reader
      .selectFrom('document_files')
      .select('party')
      .where('document_id', '=', contract.id)
      .orderBy('party')
      .execute();
    assert.deepEqual(copies, [{ party: 'customer' }, { party: 'service' }]);
  });

  test('a document that is signed and accepted is sealed by the second act', async () => {
    const contract = await issue({ requires_acceptance: true });
    const signed = await sign(contract, { pdf: undefined });
    assert.deepEqual(
      [signed.status, signed.body.status, signed.body.sealed_at],
      [200, 'offering', null],
      signed.text,
    );
    const [event] = (await drain()).slice(-1);
    assert.deepEqual(
      [event?.status, event?.action, event?.method, event?.content_sha256],
      ['offering', 'signed', 'biometric', contract.digest],
    );
    // What the seal is about belongs to the transition to active.
    assert.deepEqual(
      [event?.plain_sha256, event?.signer_first_name, event?.signer_name_verified],
      [null, null, null],
    );
    const body = { content_sha256: contract.digest };
    assert.deepEqual(await refusalOf(accept(contract.id, body)), [409, 'documents.content_required']);
    const accepted = await accept(contract.id, { ...body, pdf: base64(PDF) });
    assert.deepEqual([accepted.status, accepted.body.status], [200, 'active'], accepted.text);
    assert.deepEqual(
      accepted.body.signatures.map((one: Record<string, unknown>) => [one.action, one.method]),
      [
        ['signed', 'biometric'],
        ['accepted', null],
      ],
    );
    const [last] = (await drain()).slice(-1);
    assert.deepEqual(
      [last?.status, last?.action, last?.method, last?.signed_at, last?.plain_sha256],
      ['active', 'accepted', null, null, contract.digest],
    );
    assert.deepEqual(
      [last?.signer_first_name, last?.signer_last_name, last?.signer_name_verified],
      ['Ada', 'Lovelace', false],
      'of the last signature, where an acceptance completes',
    );
    assert.ok(!Buffer.from(PDF).equals(await bytesIn(await file(contract.id))), 'the sealed copy is served');
  });

  test('JSON, a file without a digest and a file that is no PDF are accepted without a seal', async () => {
    const accepting = { requires_signature: false, requires_acceptance: true };
    const { id: json } = await platform().must('POST', '/api/company-data/documents', {
      token,
      body: {
        kind: 'agreement',
        name: 'Terms',
        payload_kind: 'json',
        requires_acceptance: true,
        target,
        value: await sealed('{"rent":900}'),
      },
    });
    const accepted = await accept(json, { content_sha256: OTHER_DIGEST });
    assert.deepEqual(
      [accepted.body.status, accepted.body.signatures[0]?.content_sha256, accepted.body.sealed_at],
      ['active', OTHER_DIGEST, null],
      accepted.text,
    );
    assert.equal(await openSealed(accepted.body.value), '{"rent":900}');
    const plain = await issue({ ...accepting, plain_sha256: null });
    const bare = await accept(plain.id);
    assert.deepEqual([bare.body.status, bare.body.sealed_at], ['active', null], bare.text);
    const text = await issue(accepting, Buffer.from('no PDF at all'));
    const done = await accept(text.id, { content_sha256: text.digest, pdf: base64(text.pdf) });
    proves('route:POST /api/person/documents/{id}/accept');
    assert.deepEqual([done.body.status, done.body.sealed_at], ['active', null], done.text);
    assert.ok(Buffer.from(text.pdf).equals(await bytesIn(await file(text.id))));
  });

  test('a JSON contract is signed, with the digest that the person names', async () => {
    const { id } = await platform().must('POST', '/api/company-data/documents', {
      token,
      body: {
        kind: 'agreement',
        name: 'Terms',
        payload_kind: 'json',
        requires_signature: true,
        target,
        value: await sealed('{"rent":900}'),
      },
    });
    const signed = await sign({ id, pdf: PDF, digest: OTHER_DIGEST }, { pdf: undefined });
    assert.deepEqual([signed.body.status, signed.body.sealed_at], ['active', null], signed.text);
    assert.deepEqual(signed.body.signatures[0]?.content_sha256, OTHER_DIGEST);
    const [event] = (await drain()).slice(-1);
    assert.deepEqual(
      [event?.status, event?.plain_sha256, event?.sealed_at, event?.signer_last_name],
      ['active', null, null, 'Lovelace'],
    );
  });

  test('with the connection the offer ends; while a contract is active the connection does not', async () => {
    const someone = await registerPerson(platform());
    const theirs = await connectTo(someone);
    const contract = await issueContract(platform(), { token, target: theirs, pdf: PDF });
    const { authenticator: key } = await addPasskey(platform(), someone);
    assert.equal((await signBy(platform(), someone, contract, key)).status, 200);
    const { connection_id } = theirs as { connection_id: string };
    const path = `/api/person/connections/${connection_id}`;
    assert.deepEqual(await refusalOf(platform().call('DELETE', path, { token: someone.token })), [
      409,
      'company_connections.active_contract',
    ]);
    // Of a document that is signed and waits for an acceptance, the person keeps a copy.
    const both = await issueContract(platform(), {
      token,
      target: theirs,
      pdf: PDF,
      more: { requires_acceptance: true },
    });
    assert.equal((await signBy(platform(), someone, both, key)).status, 200);
    await platform().must('DELETE', `/api/company-data/documents/${contract.id}`, { token });
    await platform().must('DELETE', path, { token: someone.token });
    const late = platform().call('POST', `/api/person/documents/${both.id}/accept`, {
      token: someone.token,
      body: { content_sha256: both.digest, pdf: base64(PDF) },
    });
    assert.deepEqual(await refusalOf(late), [409, 'documents.not_acceptable']);
  });
});

for (const engine of usualEngines) {
  test(`without a certificate the completing act is refused, and nothing is stored (${engine})`, async () => {
    await using platform = await startPlatform(engine, { SYMBOLON_PUBLIC_URL: 'https://symbolon.example' });
    const { service, token } = await openShop(platform);
    const person = await registerPerson(platform);
    const target = { connection_id: await connect(platform, person, service) };
    const more = { requires_signature: false, requires_acceptance: true };
    const { id, digest } = await issueContract(platform, { token, target, pdf: PDF, more });
    const refused = await platform.call('POST', `/api/person/documents/${id}/accept`, {
      token: person.token,
      body: { content_sha256: digest, pdf: base64(PDF) },
    });
    assert.deepEqual([refused.status, refused.body.error_key], [503, 'documents.seal_unavailable']);
    assert.equal(refused.headers.get('retry-after'), '60');
    proves('error:documents.seal_unavailable');
    const { status, signatures } = await platform.must('GET', `/api/company-data/documents/${id}`, {
      token,
    });
    assert.deepEqual([status, signatures], ['offering', []]);
  });
}
