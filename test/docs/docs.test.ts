/** Runs the commands and programs of the pages against a real platform. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { createWorld, type World } from '@symbolon/testkit/cli/world';
import { baseAt, freePort, HOST } from '@symbolon/testkit/platform/address';
import { assertAnswers } from './support/answers.ts';
import { blocksOf, ROOT } from './support/blocks.ts';
import { compileParts } from './support/compile.ts';
import { runPage } from './support/run-page.ts';

/** Every page for readers. The wire reference has no blocks. */
const PAGES = globSync(['*.md', 'docs/*.md', 'docs/wire/*.md', 'packages/*/README.md'], { cwd: ROOT });

const hasCryptography = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
const python = hasCryptography || process.env.CI === 'true' ? false : 'python3 has no package cryptography';

/** Makes the folder of a page look like a clone in which `npm ci` has run. */
const CLONE = [
  'rm package.json',
  ...['package.json', 'packages', 'examples'].map((name) => `ln -s "${ROOT}/${name}" ${name}`),
];

/** An account key under a passphrase, and an envelope for it. */
const ENVELOPE = `
  export SECRET=a-secret; printf '{"event":"field_updated"}' > body.bin
  cat > envelope.mjs <<'END_OF_BLOCK'
import { writeFileSync } from 'node:fs';
import { encryptPem, generateKeyPair, sealAccountEnvelope, serializeWrapper } from '@symbolon/crypto';
const { publicKey, privateKey } = await generateKeyPair();
writeFileSync('account.pem', await encryptPem(privateKey, 'a passphrase of one’s own'));
writeFileSync('account-passphrase.txt', 'a passphrase of one’s own');
const sealed = await sealAccountEnvelope(Buffer.from('{"event":"field_updated"}'), publicKey);
writeFileSync('body.json', typeof sealed === 'string' ? sealed : serializeWrapper(sealed));
END_OF_BLOCK
  node envelope.mjs`;

describe('the pages', { concurrency: true }, () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(() => world?.clear());

  /** Shell commands that put the demo's client, its key and one value into the folder, and sign in. */
  const client = () => {
    const { config_file, private_key_file, passphrase_file, portal_email, portal_password } =
      world.credentials;
    return [
      `cp "${private_key_file}" service-key.pem && cp "${passphrase_file}" passphrase.txt`,
      `install -m 600 "${config_file}" client.json`,
      `export SYMBOLON_URL=${world.url} SYMBOLON_EMAIL='${portal_email}' SYMBOLON_PASSWORD='${portal_password}'`,
      `symbolon login > /dev/null`,
      `SERVICE=$(symbolon services --json | head -1 | jq -r .id)`,
      `symbolon api GET /api/company-data/connections --config client.json |`,
      `  jq -r '.items[] | select(.display_name == "Mira") | .values.full_name.value' > wrapper.json`,
    ].join('\n');
  };

  for (const page of PAGES) {
    test(`${page} says of every block what is done with it`, () => {
      assert.ok(blocksOf(page).every(({ kind }) => kind !== undefined));
    });
  }

  test('parts of programs compile', () => {
    assert.ok(compileParts(PAGES) >= 15);
  });

  for (const [page, printed] of [
    ['packages/crypto/README.md', 'ada@example.org'],
    ['packages/field-types/README.md', ''],
    [
      'packages/flows/README.md',
      "[]\n{ next_node: 'review', next_party: 'city' }\nDear Ada, tell us of your car.",
    ],
    ['packages/pdf/README.md', 'B-B sealed Ada Lovelace true'],
    ['docs/regions.md', ''],
  ] as const) {
    test(`${page} runs`, async () => {
      const files = blocksOf(page).filter(
        ({ kind, argument }) => kind === 'file' && argument.endsWith('.mjs'),
      );
      const after = files.map(({ argument }) => `node ${argument}`).join('\n');
      const { rest } = await runPage(page, { after });
      assert.equal(rest, printed);
    });
  }

  test('docs/webhooks.md checks a signature and opens an envelope', async () => {
    const { output } = await runPage('docs/webhooks.md', { before: ENVELOPE });
    const [signature, envelope] = [...output.values()];
    assert.match(signature ?? '', /^[0-9a-f]{64} \*body\.bin$/);
    assert.equal(envelope, '{"event":"field_updated"}');
  });

  test('README.md: the tour works in a fresh clone, in its order', async () => {
    const { output } = await runPage('README.md', {
      before: CLONE.join('\n'),
      // A port of this test's own: what else runs here may have the usual one.
      env: { SYMBOLON_PORT: '0' },
    });
    const all = [...output.values()].join('\n');
    assert.match(all, /data client at .*demo\/client\.json/);
    assert.match(all, /^Mira {2}/m);
    assert.match(all, /^Mira mira\.okafor@post\.example$/m);
    // Three of the story, five of the month before it, and one by symbolon trigger.
    assert.match(all, /"total": 9/);
  });

  test('docs/quick-start.md leads from a fresh clone to a value and a change', async () => {
    const { output } = await runPage('docs/quick-start.md', {
      before: CLONE.join('\n'),
      env: { SYMBOLON_PORT: '0' },
    });
    const all = [...output.values()].join('\n');
    assert.match(all, /^Mira Mira Adaeze Okafor$/m);
    assert.match(all, /Z {2}field_updated /);
  });

  test('docs/integrate.md leads from registering to the first opened value', { skip: python }, async () => {
    const [opening] = blocksOf('docs/decrypting.md').filter(({ argument }) => argument === 'open_value.py');
    const port = await freePort();
    const ran = await runPage('docs/integrate.md', {
      before: [...CLONE, `cat > open_value.py <<'END_OF_BLOCK'\n${opening?.text}\nEND_OF_BLOCK`].join('\n'),
      env: { SYMBOLON_HOST: HOST, SYMBOLON_PORT: String(port) },
      instead: { 'http://127.0.0.1:8080': baseAt(port) },
    });
    assertAnswers('docs/integrate.md', ran);
    assert.ok(
      [...ran.output.values()].some((text) => /^\+\d{8,}$/.test(text)),
      'a telephone number is opened',
    );
  });

  test('docs/commands.md runs', async () => {
    const { output } = await runPage('docs/commands.md', { before: client() });
    assert.ok([...output.values()].some((text) => text.includes('"name": "Bike Club"')));
  });

  test('docs/company-file.md makes a service and an app, and takes away what goes from the file', async () => {
    const { output } = await runPage('docs/company-file.md', { before: client() });
    const said = [...output.values()].join('\n');
    assert.match(said, /\n5 to create, 0 to change, 0 to delete\.\n/);
    assert.match(said, /^Nothing is to change\.$/m);
    assert.match(said, /\n0 to create, 0 to change, 4 to delete\.$/);
  });

  test('docs/decrypting.md opens the same value in every way', { skip: python }, async () => {
    const { output } = await runPage('docs/decrypting.md', { before: client() });
    const said = [...output.values()];
    assert.deepEqual(said.slice(0, 3), ['Mira Adaeze Okafor', 'Mira Adaeze Okafor', 'Mira Adaeze Okafor']);
    assert.match(said[3] ?? '', /^[0-9a-f]{64}$/);
  });
});
