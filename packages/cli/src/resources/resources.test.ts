import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Ended, symbolon } from '@symbolon/testkit/cli/command';
import { type SignedIn, signIn } from '@symbolon/testkit/cli/signed-in';
import { createWorld, type World } from '@symbolon/testkit/cli/world';

const parsed = ({ stdout, stderr, code }: Ended) => {
  assert.equal(code, 0, stderr);
  return stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
};

describe('commands of the table', () => {
  let world: World;
  let user: SignedIn;
  before(async () => {
    world = await createWorld({ loopback: true });
    user = await signIn(world);
  });
  after(async () => {
    user[Symbol.dispose]();
    await world.clear();
  });
  const withInput = (input: string, ...args: string[]) => symbolon(args, { env: user.env, input });
  const fields = async () => parsed(await user.run('fields', 'list', '--json'));

  test('settings of a service are changed by name, code and id, each by its own call', async () => {
    const [service] = parsed(await user.run('services', '--json'));
    const dry = await user.run(
      'services',
      'set',
      service.id,
      '--name',
      'X',
      '--audience',
      'both',
      '--dry-run',
    );
    assert.equal(
      dry.stdout,
      `PUT /api/services/${service.id}\n{\n  "name": "X"\n}\nPUT /api/services/${service.id}/audience\n{\n  "audience": "both"\n}\n`,
    );
    const [same] = parsed(await user.run('services', 'get', service.share_code.toLowerCase(), '--json'));
    assert.deepEqual(same, service, 'a dry run changes nothing');
    const [set] = parsed(await user.run('services', 'set', service.name, '--require-2fa', '--json'));
    assert.equal(set.require_2fa, true);
    const [back] = parsed(
      await user.run('services', 'set', service.share_code, '--require-2fa', 'false', '--json'),
    );
    assert.equal(back.require_2fa, false);
    const none = await user.run('services', 'get', 'nowhere');
    assert.equal(none.code, 2);
    assert.match(
      none.stderr,
      new RegExp(`^error: There is no service nowhere\\. There is ${service.share_code} `),
    );
    const nothing = await user.run('services', 'set', service.id);
    assert.deepEqual([nothing.code, nothing.stdout], [2, '']);
    assert.match(nothing.stderr, /^error: Nothing is to change\. Give --name, /);
  });

  test('rows are added, changed, taken away and published, and the rest stays', async () => {
    const before = await fields();
    const add = ['fields', 'create', 'iban', '--label', 'IBAN', '--type', 'text'];
    const [row] = parsed(await user.run(...add, '--mandatory-provide', '--json'));
    assert.deepEqual([row.slug, row.mandatory_provide, row.one_time], ['iban', true, false]);
    assert.deepEqual((await fields()).slice(0, -1), before);
    assert.equal((await user.run(...add)).code, 1, 'it is there');
    const set = ['fields', 'set', 'iban', '--file', '-', '--json'];
    const [changed] = parsed(await withInput('label: Account\none_time: true\n', ...set));
    assert.deepEqual([changed.label, changed.one_time, changed.mandatory_provide], ['Account', true, true]);
    const unasked = await user.run('fields', 'delete', 'iban');
    assert.deepEqual(
      [unasked.code, unasked.stderr],
      [2, 'error: Answers to it are deleted. Give --yes for that.\n'],
    );
    assert.equal((await user.run('fields', 'delete', 'iban', '--yes')).code, 0);
    assert.deepEqual(await fields(), before);
    const file = `${user.folder}/rows.json`;
    writeFileSync(file, JSON.stringify(before));
    assert.equal((await user.run('fields', 'publish', '--file', file, '--yes')).code, 0);
    assert.deepEqual(await fields(), before, 'rows that were read can be published');
  });

  test('a body comes from a file or standard input, and what is wrong with it is said', async () => {
    const create = ['profile', 'fields', 'create', '--file'];
    const yaml = '{type: text, slug: vat_id, label: VAT}';
    const [field] = parsed(await withInput(yaml, ...create, '-', '--label', 'VAT number', '--json'));
    assert.deepEqual([field.slug, field.label], ['vat_id', 'VAT number'], 'an option wins over the file');
    for (const [text, pattern] of [
      ['{type: text, sulg: x}', /has sulg; known are type, slug, label, usertype\.$/m],
      ['[]', /is not an object\.$/m],
      ['{type: [}', /is neither JSON nor YAML: /],
      ['{type: text, type: date}', /is neither JSON nor YAML: Map keys must be unique/],
      ['type: text', /^error: Missing: --slug, --label\./],
      ['x'.repeat(1024 * 1024 + 1), /is larger than a megabyte\.$/m],
      [
        `a: &a [x]\nb: [${Array.from({ length: 60 }, () => '*a').join(', ')}]`,
        /neither JSON nor YAML: Excessive alias count/,
      ],
    ] as const) {
      const refused = await withInput(text, ...create, '-');
      assert.deepEqual([refused.code, refused.stdout], [2, ''], refused.stderr);
      assert.match(refused.stderr, pattern);
    }
    const wrong = await user.run(
      'profile',
      'fields',
      'create',
      '--type',
      'text',
      '--slug',
      'A B',
      '--label',
      'x',
    );
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /^error: [^\n]*\/slug [^\n]* \(request\.invalid, request [^\n]+\)\n$/);
    assert.equal((await user.run('profile', 'fields', 'delete', 'vat_id', '--yes')).code, 0);
  });

  test('secrets come from a file, and go to one', async () => {
    const url = 'http://127.0.0.1:1/';
    const create = ['webhooks', 'create', '--url', url, '--auth-type', 'bearer', '--auth-token-file', '-'];
    const dry = await withInput('a-token-of-some-length\n', ...create, '--dry-run', '--json');
    const [step] = parsed(dry);
    assert.deepEqual([step.method, step.body.url, step.body.auth_token], ['POST', url, '••••']);
    const [made] = parsed(await withInput('a-token-of-some-length\n', ...create, '--json'));
    assert.equal(made.auth_token, '••••ngth');
    const out = `${user.folder}/hook.json`;
    const set = [
      'webhooks',
      'set',
      made.id,
      '--auth-type',
      'hmac',
      '--events',
      'field_updated',
      'field_deleted',
    ];
    const changed = await user.run(...set, '--out', out, '--json');
    const { hmac_secret_once: secret, id } = JSON.parse(readFileSync(out, 'utf8'));
    assert.equal(id, made.id);
    assert.ok(!changed.stdout.includes(secret));
    const [all] = parsed(await user.run('webhooks', 'set', made.id, '--events', '--json'));
    assert.deepEqual(all.events, [], 'an empty list: all events');
    const test = await user.run('webhooks', 'test', made.id, '--json');
    assert.deepEqual([test.code, JSON.parse(test.stdout).delivered], [1, false]);
    const none = await user.run('webhooks', 'create', '--url', url, '--out', out);
    assert.deepEqual(
      [none.code, none.stdout],
      [1, ''],
      'a file that is there is found before a secret is made',
    );
    assert.equal((await user.run('webhooks', 'delete', made.id, '--yes')).stdout, `${made.id} is deleted.\n`);
  });

  test('what belongs to a data client is read with its file, and nothing else is', async () => {
    const config = ['--config', world.credentials.config_file];
    const people = parsed(await symbolon(['people', 'list', '--limit', '2', '--json', ...config]));
    assert.equal(people.length, 2);
    const [{ connection_id: id, share_code }] = people;
    const [one] = parsed(await symbolon(['people', 'get', share_code, '--json', ...config]));
    assert.equal(one.connection_id, id);
    assert.equal((await symbolon(['logs', ...config])).code, 0);
    const audit = await user.run('logs', 'audit', '--limit', '1', '--json');
    assert.equal(parsed(audit).length, 1);
    // More than one page, which begins behind the last entry of the one before.
    for (let n = 0; n < 105; n += 1) await user.portal.renameService(user.serviceId, `Shop ${n}`);
    const { total } = await user.portal.security.auditLog({ limit: 1 });
    const all = parsed(await user.run('logs', 'audit', '--json'));
    assert.equal(new Set(all.map((entry) => entry.id)).size, total);
    assert.equal(all.length, total);
    for (const [args, pattern] of [
      [['services', ...config], / has a data client\. This takes an account client /],
      [['people', '--profile', 'default'], /unknown option '--profile'/],
      [['people'], /^error: No client is configured that can do this\. This takes a data client /],
    ] as const) {
      const refused = await symbolon(args, { env: user.env });
      assert.equal(refused.code, 2, args.join(' '));
      assert.match(refused.stderr, pattern);
    }
  });

  test('delegates are named by their addresses, photos are sent and come back', async () => {
    const create = ['delegates', 'create', '--email', 'ada@acme.example', '--role', 'viewer', '--json'];
    const [made] = parsed(await user.run(...create));
    const [set] = parsed(
      await user.run('delegates', 'set', 'ada@acme.example', '--role', 'support', '--json'),
    );
    assert.deepEqual([set.id, set.role], [made.id, 'support']);
    assert.equal((await user.run('delegates', 'delete', 'ada@acme.example', '--yes')).code, 0);

    const image = `${user.folder}/dot.png`;
    writeFileSync(image, Buffer.from(DOT, 'base64'));
    const [photo] = parsed(
      await user.run('photos', 'create', '--image', image, '--label', 'A dot', '--json'),
    );
    const out = `${user.folder}/back.png`;
    assert.equal((await user.run('photos', 'download', photo.id, '--out', out)).code, 0);
    assert.equal(readFileSync(out).length, photo.size);
    const [shown] = parsed(await user.run('profile', 'set', '--photo-id', photo.id, '--json'));
    assert.equal(shown.photo.id, photo.id);
    const [label] = parsed(await user.run('photos', 'set', photo.id, '--label', 'none', '--json'));
    assert.equal(label.label, null);
    assert.equal((await user.run('photos', 'delete', photo.id, '--yes')).code, 0);
    assert.ok(existsSync(out));
  });
});

/** A PNG of one dot. */
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
