import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { verifyPdf } from '@symbolon/pdf/verify';
import { connect, registerPerson } from '@symbolon/testkit/actors/actors';
import { bytesIn, issueContract, signBy, type TestContract } from '@symbolon/testkit/actors/contracts';
import { addPasskey } from '@symbolon/testkit/actors/passkeys';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { crlOf, opensslTimestamps } from '@symbolon/testkit/pdf/authorities';
import { Desk } from '@symbolon/testkit/pdf/judges';
import { createPki, type Pki } from '@symbolon/testkit/pdf/pki';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { keptLog } from '@symbolon/testkit/platform/kept-log';
import { FakeClock, startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { listening } from '@symbolon/testkit/servers/listening';
import { without } from '@symbolon/testkit/tools';

const PDF = plainPdf({ pages: 1 });
const DAY = 86_400_000;
const YEAR = 365 * DAY;

/* Acts on a platform with a timestamp authority. The engine of the database plays no part in it. */
describe('the level of a seal, in an act', { skip: without('openssl') }, () => {
  const desk = new Desk();
  const clock = new FakeClock();
  let pki: Pki;
  let stamp: (query: Uint8Array) => Promise<Uint8Array>;
  /** What the timestamp authority does: it answers, says that it is broken, or goes away with the question. */
  let authority: 'good' | 'broken' | 'gone' = 'good';
  let questions = 0;
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (request.url === '/crl/root' || request.url === '/crl/authority') {
      const issuer = request.url === '/crl/root' ? pki.root : pki.authority;
      return response.end(crlOf(issuer, clock.now() - DAY, clock.now() + 20 * YEAR));
    }
    questions++;
    if (authority === 'gone') return request.socket.destroy();
    if (authority === 'broken') return response.writeHead(500).end();
    response.end(await stamp(body));
  });
  let url: string;
  let settings: Record<string, string>;
  before(async () => {
    ({ url } = await listening(server));
    pki = createPki({ crl: `${url}/crl` });
    const ask = opensslTimestamps(desk, pki);
    stamp = (query) => ask('', { body: query, type: '' });
    const { privateKey, certificate } = pki.signer;
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const file = `${desk.path}/seal.p12`;
    desk.must(
      'openssl',
      ...['pkcs12', '-export', '-passout', 'pass:x', '-out', file],
      ...['-inkey', desk.file('seal.key', key), '-in', desk.file('seal.pem', certificate.toString())],
      ...['-certfile', desk.file('above.pem', pki.authority.certificate.toString())],
    );
    settings = {
      SYMBOLON_SEAL_CERTIFICATE: file,
      SYMBOLON_SEAL_PASSWORD: 'x',
      SYMBOLON_TIMESTAMP_URL: `${url}/`,
    };
  });
  after(() => server.close());

  /** A platform with a person who has a contract. */
  async function stage(more: Record<string, string>) {
    authority = 'good';
    const { log } = keptLog();
    const platform = await startPlatform('sqlite', { ...settings, ...more }, new FakeClock(), { log });
    const { service, token } = await openShop(platform);
    const person = await registerPerson(platform);
    const target = { connection_id: await connect(platform, person, service) };
    const { authenticator } = await addPasskey(platform, person);
    const contract = await issueContract(platform, { token, target, pdf: PDF });
    const sign = () => signBy(platform, person, contract, authenticator);
    const read = () => platform.must('GET', `/api/person/documents/${contract.id}`, { token: person.token });
    return { platform, token, contract, sign, read };
  }
  const withRoots = () => ({
    SYMBOLON_SEAL_ROOTS: desk.file('root.pem', pki.root.certificate.toString()),
  });
  const sealedFile = async (platform: TestPlatform, token: string, { id }: TestContract) =>
    bytesIn(await platform.must('GET', `/api/company-data/documents/${id}/sealed-file`, { token }));

  for (const level of ['B-LT', 'B-T'] as const) {
    test(`${level} is reached, stored and shown to both parties`, async () => {
      const { platform, token, contract, sign, read } = await stage(level === 'B-LT' ? withRoots() : {});
      try {
        const signed = await sign();
        assert.deepEqual([signed.status, signed.body.seal_level], [200, level], signed.text);
        assert.equal((await read()).seal_level, level);
        const path = `/api/company-data/documents/${contract.id}`;
        assert.equal((await platform.must('GET', path, { token })).seal_level, level);
        const found = await verifyPdf(await sealedFile(platform, token, contract), {
          roots: [pki.root.certificate.raw],
        });
        const timestamp = found.signatures[0]?.timestamp;
        assert.deepEqual(
          [found.verdict, timestamp?.authority.name, timestamp?.trusted],
          ['sealed', 'Test timestamps', true],
        );
      } finally {
        await platform.stop();
      }
    });
  }

  test('required: an authority that goes away in the middle costs the act, and the person repeats it', async () => {
    const { platform, token, contract, sign, read } = await stage({
      ...withRoots(),
      SYMBOLON_TIMESTAMP: 'required',
    });
    try {
      await drainAll(platform, '/api/company-data/changes', token);
      for (const outage of ['gone', 'broken'] as const) {
        authority = outage;
        questions = 0;
        const refused = await sign();
        assert.deepEqual([refused.status, refused.body.error_key], [503, 'documents.seal_unavailable']);
        assert.deepEqual([refused.body.proof_used, /new one/.test(refused.body.error)], [true, true]);
        assert.ok(questions > 0, 'it was asked in the act');
        assert.ok(Number(refused.headers.get('retry-after')) > 0);
        const document = await read();
        assert.deepEqual(
          [document.status, document.signatures, document.sealed_at, document.seal_level],
          ['ready_to_sign', [], null, null],
          outage,
        );
      }
      assert.deepEqual(await drainAll(platform, '/api/company-data/changes', token), []);
      authority = 'good';
      const signed = await sign();
      assert.deepEqual(
        [signed.status, signed.body.status, signed.body.seal_level],
        [200, 'active', 'B-LT'],
        signed.text,
      );
      const found = await verifyPdf(await sealedFile(platform, token, contract));
      assert.equal(found.facts?.acts.length, 1, 'what was refused left nothing behind');
    } finally {
      await platform.stop();
    }
  });

  test('preferred: the same outage costs the level, which says so', async () => {
    const { platform, token, contract, sign, read } = await stage({
      ...withRoots(),
      SYMBOLON_TIMESTAMP: 'preferred',
    });
    try {
      authority = 'gone';
      const signed = await sign();
      assert.deepEqual(
        [signed.status, signed.body.status, signed.body.seal_level],
        [200, 'active', 'B-B'],
        signed.text,
      );
      assert.equal((await read()).seal_level, 'B-B');
      const { verdict, signatures } = await verifyPdf(await sealedFile(platform, token, contract), {
        roots: [pki.root.certificate.raw],
        at: new Date(clock.now()),
      });
      assert.deepEqual([verdict, signatures[0]?.timestamp], ['sealed', null]);
    } finally {
      await platform.stop();
    }
  });
});
