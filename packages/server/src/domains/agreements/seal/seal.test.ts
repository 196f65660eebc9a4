import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { createDevelopmentChain } from '@symbolon/pdf';
import { verifyPdf } from '@symbolon/pdf/verify';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { factsOf } from '@symbolon/testkit/pdf/facts';
import { Desk } from '@symbolon/testkit/pdf/judges';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { freePort } from '@symbolon/testkit/platform/address';
import { usualEngines } from '@symbolon/testkit/platform/engines';
import { keptLog } from '@symbolon/testkit/platform/kept-log';
import {
  FakeClock,
  OPERATOR as OPERATOR_TOKEN,
  onPlatform,
  startPlatform,
} from '@symbolon/testkit/platform/platform';
import { listening } from '@symbolon/testkit/servers/listening';
import { without } from '@symbolon/testkit/tools';
import { SealCertificates } from './certificates.ts';

const DAY_MS = 86_400_000;
const OPERATOR = 'operator@example.org';
const pdf = plainPdf({ pages: 1 });

onPlatform('the certificate that a platform of this machine makes', (platform) => {
  const published = () => platform().call('GET', '/api/seal/certificates');

  test('is made when something is sealed, one for all processes, and its root is published', async () => {
    assert.deepEqual((await published()).body, { certificates: [], roots: [] });
    const { clock, database, secrets, seals } = platform().context;
    const publicUrl = () => platform().url;
    const others = Array.from(
      { length: 3 },
      () => new SealCertificates({ clock, database, secrets, publicUrl }, undefined),
    );
    const made = await Promise.all(others.map((other) => other.toSeal()));
    const { bytes, level, sha256 } = await seals.seal(pdf, factsOf(pdf));
    assert.equal(level, 'B-B');
    assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));

    const { status, body } = await published();
    assert.equal(status, 200);
    const [certificate] = body.certificates;
    assert.equal(certificate.development, true);
    assert.deepEqual(new Set(made.map((each) => each?.sha256)), new Set([certificate.sha256]));
    const roots = body.roots.map(({ pem }: { pem: string }) => new X509Certificate(pem).raw);
    const found = await verifyPdf(bytes, { roots, at: new Date(clock.now()) });
    assert.deepEqual([found.verdict, found.originalIntact], ['sealed', true]);
    assert.equal(found.signatures[0]?.signer?.sha256, certificate.sha256);
  });

  test('has its key encrypted', async () => {
    await platform().context.seals.seal(pdf, factsOf(pdf));
    const [row] = await platform().context.database.reader.selectFrom('seal_chains').selectAll().execute();
    assert.match(row?.private_key ?? '', /^k\d+:/);
  });

  test('a file that cannot be sealed is refused with the reason, and the next one is sealed', async () => {
    const { seals } = platform().context;
    const text = Buffer.from('no PDF at all');
    await assert.rejects(seals.seal(text, factsOf(text)), {
      key: 'documents.pdf_unsupported',
      status: 422,
      details: { reason: 'not_pdf' },
    });
    assert.equal((await seals.seal(pdf, factsOf(pdf))).level, 'B-B');
  });
});

for (const engine of usualEngines) {
  test(`a platform that others reach makes no certificate (${engine})`, async () => {
    await using platform = await startPlatform(engine, { SYMBOLON_PUBLIC_URL: 'https://symbolon.example' });
    await assert.rejects(platform.context.seals.seal(pdf, factsOf(pdf)), {
      key: 'documents.seal_unavailable',
      status: 503,
      headers: { 'retry-after': '60' },
    });
    const rows = await platform.context.database.reader.selectFrom('seal_chains').selectAll().execute();
    assert.deepEqual(rows, []);
  });
}

describe('a configured certificate', { skip: without('openssl') }, () => {
  const desk = new Desk();
  const clock = new FakeClock();

  /** A PKCS#12 file, and its root. */
  function certificate(name: string, days = 365) {
    const chain = createDevelopmentChain({ name, now: clock.now(), days });
    const key = desk.file(`${name}.key`, chain.privateKey);
    const leaf = desk.file(`${name}.pem`, chain.certificate);
    const file = `${desk.path}/${name}.p12`;
    const root = desk.file(`${name}-root.pem`, chain.root);
    desk.must(
      'openssl',
      'pkcs12',
      '-export',
      '-inkey',
      key,
      '-in',
      leaf,
      '-passout',
      'pass:correct horse',
      '-out',
      file,
    );
    return {
      settings: {
        SYMBOLON_SEAL_CERTIFICATE: file,
        SYMBOLON_SEAL_PASSWORD_FILE: desk.file('password.txt', 'correct horse\n'),
        SYMBOLON_SEAL_ROOTS: root,
        SYMBOLON_OPERATOR_EMAIL: OPERATOR,
      },
      root: new X509Certificate(chain.root),
    };
  }

  test('seals, on a platform that others reach, and its root is published', async () => {
    const { settings, root } = certificate('acme');
    const url = { SYMBOLON_PUBLIC_URL: 'https://symbolon.example' };
    await using platform = await startPlatform('sqlite', { ...settings, ...url }, new FakeClock());
    const { bytes } = await platform.context.seals.seal(pdf, factsOf(pdf));
    const { verdict, signatures } = await verifyPdf(bytes, {
      roots: [root.raw],
      at: new Date(clock.now()),
    });
    assert.deepEqual([verdict, signatures[0]?.signer?.name], ['sealed', 'acme']);
    const { body } = await platform.call('GET', '/api/seal/certificates');
    proves('route:GET /api/seal/certificates');
    assert.equal(body.certificates[0].development, false);
    assert.deepEqual(
      body.roots.map(({ pem }: { pem: string }) => pem),
      [root.toString()],
    );
    assert.deepEqual((await platform.call('GET', '/api/health')).body, { status: 'ok' });
    const statistics = await platform.must('GET', '/api/admin/statistics', { token: OPERATOR_TOKEN });
    assert.equal(statistics.certificates.seal, body.certificates[0].expires_at);
  });

  test('one that cannot seal keeps the platform from starting, with the reason and without the password', async () => {
    const { settings } = certificate('good');
    const noRoots = desk.file('none.pem', 'nothing');
    for (const [environment, says] of [
      [
        { ...settings, SYMBOLON_SEAL_CERTIFICATE: `${desk.path}/none.p12` },
        /SYMBOLON_SEAL_CERTIFICATE .*cannot be read \(ENOENT\)/,
      ],
      [
        { ...settings, SYMBOLON_SEAL_PASSWORD_FILE: desk.file('wrong.txt', 'wrong') },
        /SYMBOLON_SEAL_CERTIFICATE .*wrong password/,
      ],
      [{ ...settings, SYMBOLON_SEAL_PASSWORD: 'correct horse' }, /not both/],
      [{ ...settings, SYMBOLON_SEAL_ROOTS: noRoots }, /SYMBOLON_SEAL_ROOTS .*no certificate/],
    ] as const) {
      await assert.rejects(startPlatform('sqlite', environment, new FakeClock()), (error: Error) => {
        assert.equal(error.name, 'ConfigError');
        assert.match(error.message, says);
        assert.doesNotMatch(error.message, /correct horse/);
        return true;
      });
    }
  });

  test('one that has expired seals nothing, and keeps nothing else from going on', async () => {
    const { settings } = certificate('expired', -0.5);
    await using platform = await startPlatform('sqlite', settings, new FakeClock());
    proves('route:GET /api/health');
    assert.deepEqual((await platform.call('GET', '/api/health')).body, {
      status: 'ok',
      seal: { days_left: -1 },
    });
    await assert.rejects(platform.context.seals.seal(pdf, factsOf(pdf)), {
      key: 'documents.seal_unavailable',
    });
  });

  test('a trial seal shows whether it seals, by the settings of all others', async () => {
    const trialOf = async (settings: Readonly<Record<string, string>>) => {
      await using platform = await startPlatform('sqlite', settings, new FakeClock(), { log: keptLog().log });
      const probe = platform.context.domain.probes.find(({ name }) => name === 'seal');
      return await (probe ?? assert.fail('no check of the seal')).check();
    };
    assert.equal(await trialOf(certificate('tried').settings), 'a trial seal reached B-B');
    await assert.rejects(trialOf(certificate('late', -0.5).settings), /certificate of the seal has expired/);
    const { settings } = certificate('silent');
    const stamped = { ...settings, SYMBOLON_TIMESTAMP_URL: `http://127.0.0.1:${await freePort()}/` };
    await assert.rejects(trialOf(stamped), { name: 'PdfError', code: 'timestamp_failed' });
  });

  for (const engine of usualEngines) {
    test(`the operator is notified 30, 7 and 1 days before it expires, once each (${engine})`, async () => {
      const { settings } = certificate(`short-${engine}`, 40);
      await using platform = await startPlatform(engine, settings, new FakeClock());
      const { clock: now, domain } = platform.context;
      const sweep = domain.sweeps.find(({ name }) => name === 'seal expiry');
      const told = async () => {
        const { signal } = new AbortController();
        await Promise.all([sweep?.run(signal), sweep?.run(signal)]);
        await sweep?.run(signal);
        return (await mailsTo(platform, OPERATOR)).map((mail) => /^subject: (.*)$/im.exec(mail)?.[1]?.trim());
      };
      assert.deepEqual(await told(), []);
      const subjects: string[] = [];
      for (const [days, left] of [
        [10, 30],
        [15, 15],
        [8, 7],
        [6, 1],
      ] as const) {
        platform.clock.advance(days * DAY_MS);
        if (left !== 15)
          subjects.push(`The certificate of the seal expires in ${left} ${left === 1 ? 'day' : 'days'}`);
        assert.deepEqual(await told(), subjects);
      }
      assert.ok(now.now() > 0);
      assert.deepEqual((await platform.call('GET', '/api/health')).body, {
        status: 'ok',
        seal: { days_left: 1 },
      });
      platform.clock.advance(2 * DAY_MS);
      await assert.rejects(platform.context.seals.seal(pdf, factsOf(pdf)), {
        key: 'documents.seal_unavailable',
        message: 'The certificate of the seal has expired.',
      });
    });
  }

  test('a mail that could not be sent goes out with a later sweep', async () => {
    const { settings } = certificate('soon', 20);
    await using platform = await startPlatform('sqlite', settings, new FakeClock(), { log: keptLog().log });
    const { mail, domain } = platform.context;
    const run = () =>
      domain.sweeps.find(({ name }) => name === 'seal expiry')?.run(new AbortController().signal);
    const send = mail.send.bind(mail);
    mail.send = () => Promise.reject(new Error('no mail server'));
    await assert.rejects(async () => run(), /no mail server/);
    mail.send = send;
    await run();
    assert.equal((await mailsTo(platform, OPERATOR)).length, 1);
  });

  test('a timestamp authority that fails costs the act, or the level, as it is configured', async () => {
    const { settings } = certificate('stamped');
    let asked = 0;
    const authority = createServer((request, response) => {
      asked++;
      request.resume();
      response.writeHead(500).end();
    });
    const { port } = await listening(authority);
    const stamped = { ...settings, SYMBOLON_TIMESTAMP_URL: `http://127.0.0.1:${port}/` };
    try {
      const required = await startPlatform('sqlite', stamped, new FakeClock(), { log: keptLog().log });
      await assert
        .rejects(required.context.seals.seal(pdf, factsOf(pdf)), { key: 'documents.seal_unavailable' })
        .finally(() => required.stop());
      const environment = { ...stamped, SYMBOLON_TIMESTAMP: 'preferred' };
      const preferred = await startPlatform('sqlite', environment, new FakeClock());
      const { level } = await preferred.context.seals.seal(pdf, factsOf(pdf)).finally(() => preferred.stop());
      assert.equal(level, 'B-B');
      assert.ok(asked >= 2);
    } finally {
      authority.close();
    }
  });
});
