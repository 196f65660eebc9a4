import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { before, test } from 'node:test';
import { verifyPdf } from '@symbolon/pdf/verify';
import { connect, registerPerson, type TestPerson, type TestService } from '@symbolon/testkit/actors/actors';
import type { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import { bytesIn, digestOf, issueContract, signBy } from '@symbolon/testkit/actors/contracts';
import { addPasskey } from '@symbolon/testkit/actors/passkeys';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const PDF = plainPdf({ pages: 1 });

onPlatform('signing a contract', (platform) => {
  let service: TestService;
  let token: string;
  let person: TestPerson;
  let authenticator: SoftwareAuthenticator;
  let target: object;
  before(async () => {
    ({ service, token } = await openShop(platform()));
    person = await registerPerson(platform());
    target = { connection_id: await connect(platform(), person, service) };
    ({ authenticator } = await addPasskey(platform(), person));
  });

  test('seals the file for both parties, and the feed tells the service', async () => {
    const contract = await issueContract(platform(), { token, target, pdf: PDF });
    await drainAll(platform(), '/api/company-data/changes', token);
    const viewed = await platform().must('GET', `/api/person/documents/${contract.id}/file`, {
      token: person.token,
    });
    assert.ok(Buffer.from(PDF).equals(await bytesIn(viewed)));
    platform().clock.advance(60_000);

    const at = new Date(platform().clock.now()).toISOString();
    const signed = await signBy(platform(), person, contract, authenticator);
    assert.equal(signed.status, 200, signed.text);
    proves('route:POST /api/person/documents/{id}/sign');
    assert.deepEqual(
      [signed.body.status, signed.body.sealed_at, signed.body.seal_level, signed.body.plain_sha256],
      ['active', at, 'B-B', contract.digest],
    );
    assert.deepEqual(signed.body.signatures, [
      {
        action: 'signed',
        method: 'biometric',
        content_sha256: contract.digest,
        plain_sha256: contract.digest,
        signer_first_name: 'Ada',
        signer_last_name: 'Lovelace',
        signer_name_verified: false,
        created_at: at,
      },
    ]);

    const own = await platform().must('GET', `/api/person/documents/${contract.id}/file`, {
      token: person.token,
    });
    const path = `/api/company-data/documents/${contract.id}`;
    const companys = await platform().must('GET', `${path}/sealed-file`, { token });
    const sealed = await bytesIn(own);
    assert.ok(Buffer.from(sealed).equals(await bytesIn(companys)), 'the parties hold the same bytes');
    assert.equal(digestOf(sealed), signed.body.sealed_sha256);
    const { roots } = await platform().must('GET', '/api/seal/certificates');
    const found = await verifyPdf(sealed, {
      roots: roots.map(({ pem }: { pem: string }) => new X509Certificate(pem).raw),
      at: new Date(platform().clock.now()),
    });
    assert.deepEqual([found.verdict, found.originalIntact], ['sealed', true]);
    const [act] = found.facts?.acts ?? [];
    assert.deepEqual(
      [act?.name, act?.method, act?.at, act?.viewedAt],
      ['Ada Lovelace', 'biometric', Date.parse(at), Date.parse(at) - 60_000],
    );

    const changes = await drainAll(platform(), '/api/company-data/changes', token);
    assert.equal(changes.length, 1);
    const [{ id: _, ...event } = {}] = changes;
    assert.deepEqual(event, {
      event: 'document_status_changed',
      person_user_id: person.id,
      share_code: person.shareCode,
      customer_type: 'person',
      at,
      document_id: contract.id,
      status: 'active',
      action: 'signed',
      method: 'biometric',
      content_sha256: contract.digest,
      signed_at: at,
      cancel_effective_date: null,
      sealed_at: at,
      plain_sha256: contract.digest,
      signer_first_name: 'Ada',
      signer_last_name: 'Lovelace',
      signer_name_verified: false,
      note: null,
    });
  });
});
