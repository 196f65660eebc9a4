import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { createDevelopmentChain, createPdfWorker, Sealer, signerFromPem } from '@symbolon/pdf';
import { symbolon } from '@symbolon/testkit/cli/command';
import { temporaryFolder } from '@symbolon/testkit/cli/world';
import { factsOf, SEALED_AT } from '@symbolon/testkit/pdf/facts';
import { plainPdf } from '@symbolon/testkit/pdf/samples';

describe('symbolon verify', () => {
  const folder = temporaryFolder();
  after(() => folder[Symbol.dispose]());
  const file = (name: string, content: string | Uint8Array) => {
    writeFileSync(folder.file(name), content);
    return folder.file(name);
  };
  const chain = createDevelopmentChain({ name: 'Acme seal', now: SEALED_AT });
  const original = plainPdf({ pages: 2 });
  let sealed: Buffer;
  before(async () => {
    const signer = signerFromPem(chain.privateKey, chain.certificate);
    const facts = factsOf(original, { documentName: 'Lease\u001b[2J' });
    sealed = Buffer.from(
      (await new Sealer({ signer, worker: createPdfWorker() }).seal(original, facts)).bytes,
    );
    file('sealed.pdf', sealed);
    file('root.pem', chain.root);
  });
  const verify = (...args: string[]) => symbolon(['verify', ...args]);

  test('says what was signed, by whom, and that it is unchanged', async () => {
    const { code, stdout } = await verify(folder.file('sealed.pdf'), '--root', folder.file('root.pem'));
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^✓ Sealed, and unchanged since\.$/m);
    assert.match(stdout, /Sealed by\s+Acme seal, certified by Acme seal \(development root\)/);
    assert.match(
      stdout,
      /Signed by\s+Ada Lovelace \(identity verified\), 2026-11-22T12:29:45\.000Z, confirmed on the device/,
    );
    assert.match(stdout, /Accepted by\s+Charles Babbage for Acme GmbH/);
    assert.match(stdout, /bit by bit/);
    assert.ok(!stdout.includes('\u001b[2J'), 'what a file says does not reach the terminal as it is');
  });

  test('tells who may be anybody from who is trusted, by its exit code', async () => {
    const unasked = await verify(folder.file('sealed.pdf'));
    assert.equal(unasked.code, 3);
    assert.match(unasked.stdout, /^– Unchanged since it was sealed/);
    const other = createDevelopmentChain({ name: 'Other', now: SEALED_AT });
    const { code, stdout } = await verify(folder.file('sealed.pdf'), '--root', file('other.pem', other.root));
    assert.equal(code, 3);
    assert.match(stdout, /leads to none of the roots/);
    assert.doesNotMatch(stdout, /Ada Lovelace/);
  });

  test('distinguishes the seal of a platform from that of another under the same root', async () => {
    const name = 'Acme seal';
    const fingerprint = new X509Certificate(chain.certificate).fingerprint256
      .replaceAll(':', '')
      .toLowerCase();
    const root = { sha256: 'aa', pem: chain.root };
    const answer = (certificates: object[]) => JSON.stringify({ certificates, roots: [root] });
    for (const [certificate, code, says] of [
      [{ name, sha256: 'bb' }, 0, /^✓ Sealed by this platform, and unchanged since\.$/m],
      [{ name: 'Renamed', sha256: fingerprint }, 0, /^✓ Sealed by this platform/m],
      [{ name: 'Other seal', sha256: 'bb' }, 3, /^✗ Unchanged, but sealed by another party/m],
    ] as const) {
      const platform = file('platform.json', answer([certificate]));
      const found = await verify(folder.file('sealed.pdf'), '--platform', platform);
      assert.equal(found.code, code, found.stdout);
      assert.match(found.stdout, says);
      assert.equal(/Ada Lovelace/.test(found.stdout), code === 0);
    }
    const wrong = await verify(folder.file('sealed.pdf'), '--platform', folder.file('root.pem'));
    assert.deepEqual([wrong.code, /is not what GET/.test(wrong.stderr)], [2, true]);
  });

  test('finds changes, additions and files without a seal', async () => {
    const changed = Buffer.from(sealed);
    changed[30]! ^= 1;
    for (const [name, content, says] of [
      ['changed.pdf', changed, /Changed since/],
      ['longer.pdf', Buffer.concat([sealed, Buffer.from('\n')]), /Something was added/],
      ['original.pdf', original, /Not sealed/],
      ['text.pdf', Buffer.from('no PDF at all'), /Not sealed/],
    ] as const) {
      const { code, stdout } = await verify(file(name, content), '--root', folder.file('root.pem'));
      assert.equal(code, 1, name);
      assert.match(stdout, says);
    }
  });

  test('prints JSON for programs, and refuses invalid roots', async () => {
    const { stdout, code } = await verify(
      folder.file('sealed.pdf'),
      '--root',
      folder.file('root.pem'),
      '--json',
    );
    const found = JSON.parse(stdout);
    assert.deepEqual(
      [code, found.verdict, found.originalIntact, found.facts.acts.length],
      [0, 'sealed', true, 2],
    );
    const wrong = await verify(folder.file('sealed.pdf'), '--root', folder.file('sealed.pdf'));
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^error: .*: There is no certificate in PEM\.$/m);
    assert.equal((await verify(folder.file('missing.pdf'))).code, 1);
  });
});
