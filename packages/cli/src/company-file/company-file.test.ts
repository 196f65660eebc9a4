import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { symbolon } from '@symbolon/testkit/cli/command';
import { type SignedIn, signIn } from '@symbolon/testkit/cli/signed-in';
import { createWorld, type World } from '@symbolon/testkit/cli/world';
import { Owned } from './owned.ts';
import { planOf } from './plan.ts';
import { Present } from './present.ts';
import { readCompanyFile } from './shape.ts';

const COMPANY = `version: 1
services:
  - code: KIOSK
    name: Kiosk
    admin_email: ops@acme.example
    audience: both
    fields:
      - {slug: email, label: E-mail, type: email, mandatory_provide: true}
      - {slug: phone, label: Phone, type: phone}
    share_fields:
      - {slug: website, label: Website, type: url, value: 'https://acme.example'}
    webhooks:
      - url: http://127.0.0.1:1/hook
        events: [field_updated, field_deleted]
        auth_type: bearer
        auth_token_file: token.txt
apps:
  - name: Kiosk sign-in
    redirect_uris: [https://acme.example/back]
    service: KIOSK
`;

describe('a company as a file', () => {
  let world: World;
  let user: SignedIn;
  let file: string;
  before(async () => {
    world = await createWorld({ loopback: true });
    user = await signIn(world);
    file = `${user.folder}/company.yaml`;
    writeFileSync(file, COMPANY);
    writeFileSync(`${user.folder}/token.txt`, 'a-bearer-token\n');
  });
  after(async () => {
    user[Symbol.dispose]();
    await world.clear();
  });
  const write = (change: (text: string) => string) => writeFileSync(file, change(readFileSync(file, 'utf8')));
  const diff = (...more: string[]) => user.run('diff', '-f', file, ...more);
  const apply = (...more: string[]) => user.run('apply', '-f', file, ...more);
  const service = async () => {
    const { items } = await user.portal.services();
    return items.find(({ share_code }) => share_code === 'KIOSK');
  };

  test('what is there is written, and nothing of it is to change', async () => {
    const out = `${user.folder}/exported.yaml`;
    const exported = await user.run('export', '--out', out);
    assert.equal(exported.code, 0, exported.stderr);
    const same = await user.run('diff', '-f', out);
    assert.deepEqual([same.code, same.stdout], [0, 'Nothing is to change.\n'], same.stderr);
  });

  test('a plan is shown, and done once; keys and secrets go to a folder', async () => {
    const planned = await diff();
    assert.equal(planned.code, 2, planned.stderr);
    assert.match(planned.stdout, /^\+ service KIOSK\n {4}name: Kiosk\n\+ field email of KIOSK\n/);
    assert.match(planned.stdout, /\n\+ app Kiosk sign-in\n6 to create, 0 to change, 0 to delete\.\n$/);
    const nowhere = await apply();
    assert.equal(nowhere.code, 2);
    assert.match(
      nowhere.stderr,
      /^error: This makes keys or secrets\. Name a folder for them with --secrets\.\n$/,
    );
    assert.equal(await service(), undefined);

    const secrets = `${user.folder}/secrets`;
    const applied = await apply('--secrets', secrets);
    assert.equal(applied.code, 0, applied.stderr);
    assert.deepEqual(readdirSync(`${secrets}/KIOSK`).sort(), ['passphrase.txt', 'service-key.pem']);
    const [app = ''] = readdirSync(secrets).filter((name) => name.startsWith('app-'));
    assert.ok(JSON.parse(readFileSync(`${secrets}/${app}`, 'utf8')).client_secret.length > 20);
    assert.equal(statSync(`${secrets}/${app}`).mode & 0o777, 0o600);
    const { id = '' } = (await service()) ?? {};
    const [webhook] = await user.portal.webhooks(id);
    assert.equal(webhook?.auth_token, '••••oken');

    for (const again of [await diff('--prune'), await apply('--prune')]) {
      assert.deepEqual([again.code, again.stdout], [0, 'Nothing is to change.\n'], again.stderr);
    }
  });

  test('what differs is changed, and what others have made stays', async () => {
    const { id = '' } = (await service()) ?? {};
    const { request_fields: rows } = await user.portal.requestFields(id);
    const inputs = rows.map(({ slug, label, type, mandatory_provide }) => ({
      slug,
      label,
      type,
      mandatory_provide,
    }));
    await user.portal.publishRequestFields(id, [
      { slug: 'by_hand', label: 'By hand', type: 'text' },
      ...inputs,
    ]);
    write((text) =>
      text.replace('label: Phone', 'label: Telephone').replace('audience: both', 'audience: person'),
    );
    writeFileSync(`${user.folder}/token.txt`, 'another-token-here\n');
    const planned = await diff('--json');
    const lines = planned.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(lines, [
      { act: 'change', what: 'service KIOSK', how: ['audience: "both" → "person"'] },
      { act: 'change', what: 'field phone of KIOSK', how: ['label: "Phone" → "Telephone"'] },
      { act: 'change', what: 'webhook http://127.0.0.1:1/hook of KIOSK', how: ['auth_token: another'] },
    ]);
    const applied = await apply();
    assert.equal(applied.code, 0, applied.stderr);
    const now = (await user.portal.requestFields(id)).request_fields.map(({ slug }) => slug);
    assert.deepEqual(now, ['email', 'phone', 'by_hand']);
    assert.equal((await diff()).code, 0);
  });

  test('why a field is asked is written, changed and taken back as the file says', async () => {
    const reason = async () => {
      const { request_fields: rows } = await user.portal.requestFields((await service())?.id ?? '');
      return rows.find(({ slug }) => slug === 'phone')?.reason;
    };
    const field = '{slug: phone, label: Telephone, type: phone';
    const planOf = async () => JSON.parse((await diff('--json')).stdout);
    write((text) => text.replace(`${field}}`, `${field}, reason: 'Only for: emergencies'}`));
    assert.deepEqual(await planOf(), {
      ...{ act: 'change', what: 'field phone of KIOSK' },
      how: ['reason: null → "Only for: emergencies"'],
    });
    assert.equal((await apply()).code, 0);
    assert.equal(await reason(), 'Only for: emergencies');
    const out = `${user.folder}/with-reason.yaml`;
    assert.equal((await user.run('export', '--out', out)).code, 0);
    assert.match(readFileSync(out, 'utf8'), /reason: "Only for: emergencies"\n/);
    assert.equal((await user.run('diff', '-f', out)).stdout, 'Nothing is to change.\n');
    write((text) => text.replace(", reason: 'Only for: emergencies'", ''));
    assert.deepEqual((await planOf()).how, ['reason: "Only for: emergencies" → null']);
    assert.equal((await apply()).code, 0);
    assert.equal(await reason(), undefined);
  });

  test('a publish that comes between is not overwritten', async () => {
    const { id = '' } = (await service()) ?? {};
    const wanted = await readCompanyFile(file);
    const [fields] = wanted.file.services?.[0]?.fields ?? [];
    assert.ok(fields);
    Object.assign(fields, { label: 'Mail' });
    const api = (await import('@symbolon/sdk/account')).ApiClient.ofToken({
      ...{ baseUrl: world.url, token: user.portal.session.token },
    });
    const owned = Owned.read(`${user.folder}/none.json`, 'X');
    const { acts } = await planOf(wanted, { present: new Present(api), owned, prune: false });
    const { share_fields } = await user.portal.shareFields(id);
    const { request_fields: rows } = await user.portal.requestFields(id);
    const others = rows.map(({ slug, type, mandatory_provide }) => ({
      slug,
      label: 'Theirs',
      type,
      mandatory_provide,
    }));
    await user.portal.publishRequestFields(id, others);
    const acting = {
      api,
      company: async () => user.portal,
      owned,
      keep: () => assert.fail('no secret is made'),
    };
    await assert.rejects(async () => acts[0]?.run(acting), { errorKey: 'services.config_conflict' });
    assert.ok((await user.portal.requestFields(id)).request_fields.every(({ label }) => label === 'Theirs'));
    assert.equal(share_fields.length, 1);
    assert.equal((await apply()).code, 0);
  });

  test('deletes only what it owned, and only with --prune', async () => {
    const { id = '' } = (await service()) ?? {};
    const byHand = await user.portal.createWebhook(id, {
      url: 'http://127.0.0.1:1/by-hand',
      auth_type: 'none',
    });
    const record = readFileSync(`${file}.owned.json`, 'utf8');
    assert.ok(!record.includes(byHand.id) && !record.includes('by_hand'));
    // As an editor may have left it.
    writeFileSync(`${file}.owned.json`, `\ufeff${record}`);
    write((text) => `${text.slice(0, text.indexOf('    share_fields'))}    webhooks: []\n`);
    write((text) => text.replace(/ +- \{slug: phone.*\n/, ''));
    const kept = await apply();
    assert.equal(kept.code, 0, kept.stderr);
    assert.match(kept.stdout, / {2}field phone of KIOSK is not in the file any more; --prune deletes it\n/);
    assert.match(kept.stdout, /\nNothing is to change\.\n$/);
    const unasked = await apply('--prune');
    assert.equal(unasked.code, 2);
    assert.match(unasked.stderr, /Give --yes for that\.\n$/);
    const pruned = await apply('--prune', '--yes');
    assert.equal(pruned.code, 0, pruned.stderr);
    assert.match(pruned.stdout, /0 to create, 0 to change, 4 to delete\.\n$/);
    const left = (await user.portal.requestFields(id)).request_fields.map(({ slug }) => slug);
    assert.deepEqual(left, ['email', 'by_hand']);
    assert.deepEqual(
      (await user.portal.webhooks(id)).map((webhook) => webhook.id),
      [byHand.id],
    );
    assert.deepEqual(await user.portal.oauthApps(), []);
    writeFileSync(file, 'version: 1\n');
    assert.equal((await apply('--prune', '--yes')).code, 0);
    assert.equal(await service(), undefined);
    assert.equal((await diff('--prune')).code, 0);
  });

  test('what is wrong with a file is said with its place, and changes nothing', async () => {
    const check = async (text: string) => {
      const args = ['apply', '-f', '-', '--secrets', `${user.folder}/none`];
      const { code, stdout, stderr } = await symbolon(args, { env: user.env, input: text });
      assert.deepEqual([code, stdout], [2, ''], stderr);
      return stderr;
    };
    const head = 'version: 1\nservices:\n  - code: NEW\n    name: New\n    admin_email: a@b.example\n';
    assert.match(await check('version: 2'), /is no file of a company: \/version /);
    assert.match(await check(`${head}    colour: red`), /\/services\/0 /);
    assert.match(await check(`${head}    fields: [{slug: a, label: A}]`), /\/services\/0\/fields\/0 /);
    assert.match(
      await check(`${head}    fields: [{slug: a, label: A, type: text}, {slug: a, label: B, type: text}]`),
      /fields of NEW have a twice/,
    );
    assert.match(
      await check(`${head}company: OTHER`),
      /is of the company OTHER, and the sign-in of profile default is of /,
    );
    const foreign = 'version: 1\napps:\n  - {name: A, redirect_uris: [https://a.example], service: NONE}';
    assert.match(await check(foreign), /names the service NONE, which is neither in the file nor there/);
    assert.ok(!existsSync(`${user.folder}/none`));
    for (const args of [['diff'], ['diff', '-f', '/nowhere'], ['diff', '--colour']]) {
      assert.equal((await user.run(...args)).code, 1, 'of diff, 2 is a difference');
    }
  });
});
