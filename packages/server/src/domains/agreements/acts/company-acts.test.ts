import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { decryptPem, importPrivateKey, openText, parseFileEnvelope } from '@symbolon/crypto';
import { sealed, type TestService } from '@symbolon/testkit/actors/actors';
import type { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import { bytesIn, digestOf, issueContract } from '@symbolon/testkit/actors/contracts';
import { connectCompany, createCustomer, type TestCustomer } from '@symbolon/testkit/actors/customers';
import { addPasskey, passkeyProof } from '@symbolon/testkit/actors/passkeys';
import { addDelegate, enrolSecondFactor } from '@symbolon/testkit/actors/portal-logins';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { toXml } from '../../../http/xml.ts';

const PDF = plainPdf({ pages: 1 });
const NOBODY = '019bd0f2-8c00-7000-8000-000000000000';

onPlatform('acts of a company that is a customer', (platform) => {
  let service: TestService;
  let token: string;
  let customer: TestCustomer;
  let group: string;
  let authenticator: SoftwareAuthenticator;
  let target: object;
  before(async () => {
    ({ service, token } = await openShop(platform()));
    customer = await createCustomer(platform());
    ({ id: group } = await connectCompany(platform(), customer, service));
    target = { person_user_id: customer.company.id };
    ({ authenticator } = await addPasskey(platform(), customer.company, { at: '/api/account/passkeys' }));
  });

  const path = (id: string, act: 'sign' | 'accept', connection = group) =>
    `/api/company-connections/${connection}/documents/${id}/${act}`;
  const proofFor = (act: string, by = customer.company.token) =>
    passkeyProof(platform(), by, act, authenticator, '/api/account/2fa/presence');
  const read = (id: string) => platform().must('GET', `/api/company-data/documents/${id}`, { token });

  test('the owner signs in the portal: both companies have the sealed file, and the events and the log say so', async () => {
    const { id, digest } = await issueContract(platform(), { token, target, pdf: PDF });
    await drainAll(platform(), '/api/company-data/changes', token);
    await drainAll(platform(), '/api/customer/changes', customer.token);
    const body = {
      content_sha256: digest,
      first_name: 'Ada',
      last_name: 'Lovelace',
      proof: await proofFor(`sign document ${id} ${digest}`),
      pdf: Buffer.from(PDF).toString('base64'),
    };
    const owner = { token: customer.company.token, body };
    const signed = await platform().call('POST', path(id, 'sign'), owner);
    assert.equal(signed.status, 200, signed.text);
    proves('route:POST /api/company-connections/{id}/documents/{documentId}/sign');
    assert.deepEqual([signed.body.id, signed.body.status], [id, 'active']);
    const [signature] = signed.body.signatures;
    assert.deepEqual(
      [signature.action, signature.method, signature.signer_last_name, signature.signer_name_verified],
      ['signed', 'biometric', 'Lovelace', false],
    );
    const again = await platform().call('POST', path(id, 'sign'), owner);
    assert.deepEqual(again.body, signed.body, 'the act stands');

    const { private_key_pem: pem } = await platform().must('POST', '/api/account-key', {
      token: customer.company.token,
      body: { login_secret: customer.company.loginSecret, passphrase: 'a long passphrase' },
    });
    const key = await importPrivateKey(await decryptPem(pem, 'a long passphrase'));
    const copy = await platform().must('GET', path(id, 'sign').replace(/sign$/, 'file'), {
      token: customer.token,
    });
    const envelope = parseFileEnvelope(await openText(JSON.stringify(copy.value), key));
    assert.equal(envelope.kind, 'file');
    const own = envelope.file.bytes();
    assert.equal(digestOf(own), signed.body.sealed_sha256);
    const issuers = await platform().must('GET', `/api/company-data/documents/${id}/sealed-file`, { token });
    assert.ok(Buffer.from(own).equals(await bytesIn(issuers)), 'the parties hold the same bytes');

    const onService = await drainAll(platform(), '/api/company-data/changes', token);
    const onAccount = await drainAll(platform(), '/api/customer/changes', customer.token);
    for (const changes of [onService, onAccount])
      assert.deepEqual(
        changes.map((change) => [change.event, change.document_id, change.action, change.sealed_at]),
        [['document_status_changed', id, 'signed', signed.body.sealed_at]],
      );
    const { items } = await platform().must('GET', '/api/account/audit-log', {
      token: customer.company.token,
    });
    const entries = items.filter((entry: { target: string }) => entry.target === id);
    assert.deepEqual(
      entries.map(({ action, actor }: { action: string; actor: { name: string } }) => [action, actor.name]),
      [['document.signed', customer.company.email]],
    );
  });

  test('the owner accepts, with a proof or without one', async () => {
    for (const isProved of [true, false]) {
      const { id } = await platform().must('POST', '/api/company-data/documents', {
        token,
        body: {
          kind: 'agreement',
          name: 'Terms',
          payload_kind: 'json',
          requires_acceptance: true,
          target,
          value: await sealed('{}'),
        },
      });
      const proof = isProved ? await proofFor(`accept document ${id} -`) : undefined;
      const accepted = await platform().call('POST', path(id, 'accept'), {
        token: customer.company.token,
        body: { proof },
      });
      assert.equal(accepted.status, 200, accepted.text);
      proves('route:POST /api/company-connections/{id}/documents/{documentId}/accept');
      assert.deepEqual(
        [accepted.body.status, accepted.body.signatures[0].method],
        ['active', isProved ? 'biometric' : null],
      );
    }
  });

  test('machines, other roles, other connections and the login secret alone do not sign', async () => {
    const { id, digest } = await issueContract(platform(), { token, target, pdf: PDF });
    const admin = await addDelegate(platform(), customer.company, 'admin');
    const call = (by: string, to = path(id, 'sign'), more: object = {}) => {
      const names = { first_name: 'Ada', last_name: 'Lovelace' };
      const pdf = Buffer.from(PDF).toString('base64');
      const proof = { kind: 'password', login_secret: customer.company.loginSecret };
      return platform().call('POST', to, {
        token: by,
        body: { content_sha256: digest, ...names, proof, pdf, ...more },
      });
    };
    const accept = { first_name: undefined, last_name: undefined };
    for (const to of [path(id, 'sign'), path(id, 'accept')]) {
      const more = to.endsWith('accept') ? accept : {};
      assert.deepEqual(await refusalOf(call(customer.token, to, more)), [
        403,
        'auth.client_endpoint_forbidden',
      ]);
      assert.deepEqual(await refusalOf(call(admin.token, to, more)), [403, 'auth.role_forbidden']);
    }
    const owner = customer.company.token;
    assert.deepEqual(await refusalOf(call(owner)), [401, 'auth.two_factor_required']);
    assert.deepEqual(await refusalOf(call(owner, path(id, 'sign', NOBODY))), [404, 'documents.not_found']);
    const elsewhere = call(owner, path(id, 'accept', NOBODY), { ...accept, proof: undefined });
    assert.deepEqual(
      await refusalOf(elsewhere),
      [404, 'documents.not_found'],
      'before what the document asks',
    );
    const proof = await proofFor(`sign document ${NOBODY} ${digest}`);
    assert.deepEqual(await refusalOf(call(owner, path(id, 'sign'), { proof })), [
      401,
      'auth.passkey_invalid',
    ]);
    const stranger = await createCustomer(platform(), 'Stranger');
    const other = await connectCompany(platform(), stranger, service);
    const theirs = path(id, 'accept', other.id);
    assert.deepEqual(await refusalOf(call(stranger.company.token, theirs, { ...accept, proof: undefined })), [
      404,
      'documents.not_found',
    ]);
    assert.deepEqual((await read(id)).signatures, []);
  });
});

withRegions('acts of a company in another region', ['eu', 'us'], (regions) => {
  test('the owner proves to be present at home, and the home of the issuer seals', async () => {
    const [near, far] = [regions().region('eu'), regions().region('us')];
    const { service, token } = await openShop(far);
    const customer = await createCustomer(near);
    await regions().settle();
    const { id: group } = await connectCompany(near, customer, service);
    const app = await enrolSecondFactor(near, customer.company);
    const target = { person_user_id: customer.company.id };
    const { id, digest } = await issueContract(far, { token, target, pdf: PDF });
    const owner = customer.company.token;
    const sign = (proof: object, connection = group) =>
      near.call('POST', `/api/company-connections/${connection}/documents/${id}/sign`, {
        token: owner,
        body: {
          content_sha256: digest,
          first_name: 'Ada',
          last_name: 'Lovelace',
          proof,
          pdf: Buffer.from(PDF).toString('base64'),
        },
      });
    const secret = { kind: 'password', login_secret: customer.company.loginSecret };
    const proof = () => {
      near.clock.advance(30_000);
      return { ...secret, code: app.code() };
    };
    const elsewhere = await sign(proof(), NOBODY);
    assert.deepEqual([elsewhere.status, elsewhere.body.error_key], [404, 'documents.not_found']);
    const alone = await sign(secret);
    assert.deepEqual([alone.status, alone.body.error_key], [401, 'auth.two_factor_required']);
    const signed = await sign(proof());
    assert.deepEqual([signed.status, signed.body.status], [200, 'active'], signed.text);
    assert.equal(signed.body.signatures[0].method, 'twofa');
    const sealedFile = `/api/company-data/documents/${id}/sealed-file`;
    const issuers = await far.must('GET', sealedFile, { token });
    proves('route:GET /api/company-data/documents/{id}/sealed-file');
    const asXml = await far.call('GET', sealedFile, { token, headers: { accept: 'application/xml' } });
    assert.equal(asXml.text, toXml(issuers));
    assert.equal(digestOf(await bytesIn(issuers)), signed.body.sealed_sha256);
    await regions().settle();
    const { items } = await near.must('GET', '/api/account/audit-log', { token: owner });
    const entries = items.filter((entry: { target: string }) => entry.target === id);
    assert.deepEqual(
      entries.map((entry: { action: string }) => entry.action),
      ['document.signed'],
    );
  });
});
