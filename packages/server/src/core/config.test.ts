import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { readConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import { configVariables } from './config-variables.ts';
import { effectiveSettings } from './effective-settings.ts';

const secret = Buffer.alloc(32, 1).toString('base64');
const regions = 'eu=https://eu.example.com,us=https://us.example.com/';

test('an empty environment gives a complete configuration of one region on SQLite', () => {
  const config = readConfig({});
  assert.equal(config.port, 8080);
  assert.equal(config.databaseUrl, undefined);
  assert.equal(config.operatorToken, undefined);
  assert.deepEqual([...config.roles], ['front-door', 'region', 'worker', 'forwarder']);
  assert.equal(config.regions.size, 0);
  assert.ok(Object.isFrozen(config));
});

test('an empty variable means the same as a missing one', () => {
  const empty = Object.fromEntries(configVariables.map(({ name }) => [name, '']));
  assert.deepEqual(readConfig(empty), readConfig({}));
});

test('base URLs lose their trailing slashes', () => {
  const config = readConfig({
    SYMBOLON_PUBLIC_URL: 'https://api.example.com//',
    SYMBOLON_REGIONS: regions,
    SYMBOLON_REGION: 'eu',
    SYMBOLON_SECRET: secret,
  });
  assert.equal(config.publicUrl, 'https://api.example.com');
  assert.equal(config.regions.get('us'), 'https://us.example.com');
});

test('each configuration error names the variable and what it takes', () => {
  const several = { SYMBOLON_REGIONS: regions, SYMBOLON_REGION: 'eu', SYMBOLON_SECRET: secret };
  const errors: [environment: Record<string, string>, message: RegExp][] = [
    [{ SYMBOLON_PORT: 'abc' }, /^SYMBOLON_PORT takes a whole number from 0 to 65535, not "abc"\.$/],
    [{ SYMBOLON_PORT: '65536' }, /^SYMBOLON_PORT takes a whole number/],
    [
      { SYMBOLON_PUBLIC_URL: 'ftp://a' },
      /^SYMBOLON_PUBLIC_URL takes a URL without blanks that begins with http: or https:\.$/,
    ],
    [{ DATABASE_URL: 'mysql://a' }, /^DATABASE_URL takes a URL without blanks that begins with postgres:/],
    [{ SYMBOLON_REDIS_URL: 'localhost' }, /^SYMBOLON_REDIS_URL takes a URL/],
    [
      { SYMBOLON_TRUST_PROXY: 'yes' },
      /^SYMBOLON_TRUST_PROXY takes false, the number of proxies .* not "yes"\.$/,
    ],
    [{ SYMBOLON_TRUST_PROXY: '10.0.0.0/33' }, /^SYMBOLON_TRUST_PROXY takes /],
    [{ SYMBOLON_TRUST_PROXY: '10.0.0.0/8,proxy.example' }, /^SYMBOLON_TRUST_PROXY takes /],
    [{ SYMBOLON_CORS_ORIGINS: 'https://a.example/' }, /^SYMBOLON_CORS_ORIGINS takes origins without a path/],
    [{ SYMBOLON_TRUST_PROXY: '21' }, /^SYMBOLON_TRUST_PROXY takes /],
    [{ SYMBOLON_DEFAULT_LEVEL: 'gold' }, /^SYMBOLON_DEFAULT_LEVEL takes /],
    [{ SYMBOLON_BROADCAST_PEOPLE: 'gold=5' }, /^SYMBOLON_BROADCAST_PEOPLE takes .* not "gold=5"\.$/],
    [{ SYMBOLON_BROADCAST_PEOPLE: 'pro=-1' }, /^SYMBOLON_BROADCAST_PEOPLE takes /],
    [{ SYMBOLON_HEADER_NAME: 'X-My' }, /^SYMBOLON_HEADER_NAME takes a word/],
    [{ SYMBOLON_LOG_LEVEL: 'loud' }, /^SYMBOLON_LOG_LEVEL takes /],
    [{ SYMBOLON_RATE_TOKEN: '-1' }, /^SYMBOLON_RATE_TOKEN takes a whole number/],
    [{ SYMBOLON_ROLES: 'region,cook' }, /^SYMBOLON_ROLES takes front-door, region, worker,.* not "cook"\.$/],
    [{ SYMBOLON_OPERATOR_EMAIL: 'a@b.example, c@d.example' }, /^SYMBOLON_OPERATOR_EMAIL takes one e-mail/],
    [
      { SYMBOLON_SEAL_PASSWORD: 'a', SYMBOLON_SEAL_PASSWORD_FILE: 'b' },
      /^Set SYMBOLON_SEAL_PASSWORD or SYMBOLON_SEAL_PASSWORD_FILE, not both\.$/,
    ],
    [
      { SYMBOLON_TIMESTAMP: 'sometimes' },
      /^SYMBOLON_TIMESTAMP takes required or preferred, not "sometimes"\.$/,
    ],
    [{ SYMBOLON_TIMESTAMP_URL: 'tsa.example' }, /^SYMBOLON_TIMESTAMP_URL takes a URL/],
    [{ SYMBOLON_SEAL_PROCESSES: '0' }, /^SYMBOLON_SEAL_PROCESSES takes at least 1\.$/],
    [{ SYMBOLON_REGION: 'EU' }, /^SYMBOLON_REGION takes 1 to 32 characters/],
    [
      { ...several, SYMBOLON_REGIONS: 'eu=https://a,eu=https://b' },
      /^SYMBOLON_REGIONS takes <name>=<base URL>/,
    ],
    [{ ...several, SYMBOLON_SECRET: '' }, /^SYMBOLON_SECRET takes the secret that all regions share/],
    [{ ...several, SYMBOLON_REGION: 'ap' }, /^SYMBOLON_REGIONS takes every region, .*"ap" is missing\.$/],
    [{ ...several, SYMBOLON_ROLES: 'region' }, /^SYMBOLON_FRONT_DOOR_URL takes the base URL/],
    [
      { ...several, SYMBOLON_FRONT_DOOR_URL: 'http://front.example' },
      /^SYMBOLON_FRONT_DOOR_URL takes https:.*PLAIN_HTTP_BETWEEN_REGIONS=true/,
    ],
    [
      { ...several, SYMBOLON_REGIONS: 'eu=http://10.0.0.1:8080,us=https://us.example.com' },
      /^SYMBOLON_REGIONS takes https:.*10\.0\.0\.1/,
    ],
    [
      { ...several, SYMBOLON_PEER_KEY: 'AAAA' },
      /^SYMBOLON_PEER_KEY and SYMBOLON_PEER_PUBLIC_KEYS are set together/,
    ],
    [
      { ...several, SYMBOLON_PEER_KEY: 'AAAA', SYMBOLON_PEER_PUBLIC_KEYS: 'eu=AAAA' },
      /^SYMBOLON_PEER_KEY takes X25519 keys/,
    ],
    [
      { ...several, ...peerKeys('ed25519', ['eu', 'us', 'front-door']) },
      /^SYMBOLON_PEER_KEY takes X25519 keys/,
    ],
    [
      { ...several, ...peerKeys('x25519', ['eu', 'front-door']) },
      /^SYMBOLON_PEER_PUBLIC_KEYS takes a key of every region .*"us" is missing\.$/,
    ],
    [{ SYMBOLON_HEADR_NAME: 'X' }, /^SYMBOLON_HEADR_NAME is not .* Did you mean SYMBOLON_HEADER_NAME\?$/],
    [{ SYMBOLON_RATE_TOKENS: '1' }, /Did you mean SYMBOLON_RATE_TOKEN\?$/],
    [
      { SYMBOLON_LOG_LEVEL: 'loud' },
      /^SYMBOLON_LOG_LEVEL takes trace, debug, info, warn, error, fatal or silent/,
    ],
    [
      { SYMBOLON_IDENTITY_URL: 'http://checks.example', SYMBOLON_IDENTITY_SECRET: 'x'.repeat(32) },
      /only on this machine/,
    ],
    [{ SYMBOLON_IDENTITY_URL: 'https://checks.example' }, /^SYMBOLON_IDENTITY_SECRET takes at least 32/],
    [
      { SYMBOLON_IDENTITY_URL: 'https://checks.example', SYMBOLON_IDENTITY_SECRET: 'x'.repeat(31) },
      /^SYMBOLON_IDENTITY_SECRET takes at least 32/,
    ],
    [{ SYMBOLON_ROLES: 'front-door' }, /^SYMBOLON_REGIONS takes the regions/],
  ];
  for (const [environment, message] of errors) {
    assert.throws(
      () => readConfig(environment),
      (error) => error instanceof ConfigError && message.test(error.message),
      JSON.stringify(environment),
    );
  }
});

test('the error of a bad operator token does not repeat the token', () => {
  assert.throws(
    () => readConfig({ SYMBOLON_OPERATOR_TOKEN: 'too-short' }),
    (error: Error) => /at least 32 visible/.test(error.message) && !error.message.includes('too-short'),
  );
});

test('the operator token that only reads is another one beside that which acts', () => {
  const [acts, reads] = ['a'.repeat(32), 'b'.repeat(32)];
  const { operatorReadToken } = readConfig({
    SYMBOLON_OPERATOR_TOKEN: acts,
    SYMBOLON_OPERATOR_READ_TOKEN: reads,
  });
  assert.equal(operatorReadToken, reads);
  for (const environment of [
    { SYMBOLON_OPERATOR_READ_TOKEN: reads },
    { SYMBOLON_OPERATOR_TOKEN: acts, SYMBOLON_OPERATOR_READ_TOKEN: acts },
    { SYMBOLON_OPERATOR_TOKEN: acts, SYMBOLON_OPERATOR_READ_TOKEN: 'too-short' },
  ])
    assert.throws(
      () => readConfig(environment),
      (error: Error) =>
        /^SYMBOLON_OPERATOR_READ_TOKEN takes /.test(error.message) &&
        Object.values(environment).every((token) => !error.message.includes(token)),
    );
});

test('variables of client programs and of container platforms may stand beside', () => {
  readConfig({
    SYMBOLON_URL: 'http://127.0.0.1:8080',
    SYMBOLON_TOKEN: 'x',
    SYMBOLON_SERVICE_HOST: '10.0.0.1',
    SYMBOLON_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
  });
});

/** The variables of a region whose key pair is also that of all others. */
function peerKeys(type: 'ed25519' | 'x25519', names: readonly string[]): Record<string, string> {
  const generate: (type: string) => { privateKey: KeyObject; publicKey: KeyObject } =
    generateKeyPairSync as never;
  const { privateKey, publicKey } = generate(type);
  const text = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  return {
    SYMBOLON_PEER_KEY: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    SYMBOLON_PEER_PUBLIC_KEYS: names.map((name) => `${name}=${text}`).join(','),
  };
}

test('a secret may stand in a file, without the end of its line', (t) => {
  const { path } = temporaryFolder(t);
  const file = join(path, 'secret');
  writeFileSync(file, `${secret}\n`);
  assert.equal(readConfig({ SYMBOLON_SECRET_FILE: file }).secret, secret);
  assert.equal(readConfig({ SYMBOLON_SECRET_FILE: file, SYMBOLON_SECRET: '' }).secret, secret);
  assert.equal(readConfig({ SYMBOLON_SECRET_FILE: '' }).secret, undefined);
  writeFileSync(join(path, 'marked'), '\ufefftoken-of-the-operator-0123456789-abcdef\r\n');
  const marked = readConfig({ SYMBOLON_OPERATOR_TOKEN_FILE: join(path, 'marked') });
  assert.equal(marked.operatorToken, 'token-of-the-operator-0123456789-abcdef');
  writeFileSync(join(path, 'empty'), '\n');
  const errors: [environment: Record<string, string>, message: RegExp][] = [
    [
      { SYMBOLON_SECRET_FILE: file, SYMBOLON_SECRET: secret },
      /^Set SYMBOLON_SECRET or SYMBOLON_SECRET_FILE, not both\.$/,
    ],
    [
      { DATABASE_URL_FILE: join(path, 'none') },
      /^DATABASE_URL_FILE names .*, which cannot be read \(ENOENT\)\.$/,
    ],
    [
      { SYMBOLON_SMTP_URL_FILE: join(path, 'empty') },
      /^SYMBOLON_SMTP_URL_FILE names .*, which is empty or too large/,
    ],
    [{ SYMBOLON_SECRETS_FILE: file }, /Did you mean SYMBOLON_SECRET_FILE\?$/],
  ];
  for (const [environment, message] of errors)
    assert.throws(() => readConfig(environment), { name: 'ConfigError', message });
});

test('effective settings say where each comes from, and no secret', (t) => {
  const { path } = temporaryFolder(t);
  const file = join(path, 'token');
  writeFileSync(file, 'operator-token-of-the-tests-0123456789');
  const settings = effectiveSettings({
    DATABASE_URL: 'postgres://me:hidden@db.example:5432/symbolon?password=hidden',
    SYMBOLON_OPERATOR_TOKEN_FILE: file,
    SYMBOLON_OPERATOR_READ_TOKEN: `${secret}-of-reading`,
    SYMBOLON_SECRET: secret,
    SYMBOLON_PORT: '9000',
    SYMBOLON_HOST: '',
    AWS_SECRET_ACCESS_KEY: 'hidden',
  });
  const of = (name: string) => {
    const { value, source } = settings.find((each) => each.name === name) ?? assert.fail(name);
    return [value, source];
  };
  assert.deepEqual(of('DATABASE_URL'), ['postgres://****@db.example:5432/symbolon', 'environment']);
  assert.deepEqual(of('SYMBOLON_OPERATOR_TOKEN'), ['****', 'file']);
  assert.deepEqual(of('SYMBOLON_OPERATOR_READ_TOKEN'), ['****', 'environment']);
  assert.deepEqual(of('SYMBOLON_SECRET'), ['****', 'environment']);
  assert.deepEqual(of('AWS_SECRET_ACCESS_KEY'), ['****', 'environment']);
  assert.deepEqual(of('SYMBOLON_PORT'), ['9000', 'environment']);
  assert.deepEqual(of('SYMBOLON_HOST'), ['127.0.0.1', 'default']);
  assert.deepEqual(of('SYMBOLON_SMTP_URL'), ['', 'default']);
  const text = JSON.stringify(settings);
  for (const hidden of ['hidden', secret, 'operator-token']) assert.ok(!text.includes(hidden), hidden);
});

test('backups on a schedule take a place, and say to whom they are encrypted', () => {
  assert.equal(readConfig({}).backup.place, undefined);
  const recipient = `age1${'q'.repeat(58)}`;
  const to = { SYMBOLON_BACKUP_TO: '/backups', SYMBOLON_BACKUP_RECIPIENTS: recipient };
  const { backup } = readConfig({ ...to, SYMBOLON_BACKUP_HOURS: '6' });
  assert.deepEqual(backup, {
    place: { folder: '/backups' },
    recipients: [recipient],
    everyMs: 6 * 3_600_000,
    keep: 14,
    scratchUrl: undefined,
  });
  assert.deepEqual(readConfig({ ...to, SYMBOLON_BACKUP_RECIPIENTS: 'none' }).backup.recipients, []);
  const secret = 'AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQ';
  for (const [wrong, message] of [
    [{ SYMBOLON_BACKUP_RECIPIENTS: '' }, /^SYMBOLON_BACKUP_TO needs SYMBOLON_BACKUP_RECIPIENTS/],
    [{ SYMBOLON_BACKUP_RECIPIENTS: secret }, /^SYMBOLON_BACKUP_RECIPIENTS takes up to 10 public keys/],
    [{ SYMBOLON_BACKUP_TO: 'backups' }, /^SYMBOLON_BACKUP_TO takes an absolute folder or s3/],
    [{ SYMBOLON_BACKUP_TO: 's3://bucket/x' }, /^SYMBOLON_BACKUP_TO needs AWS_ACCESS_KEY_ID/],
    [{ SYMBOLON_BACKUP_HOURS: '0' }, /^SYMBOLON_BACKUP_HOURS takes at least 1/],
    [{ SYMBOLON_BACKUP_KEEP: '0' }, /^SYMBOLON_BACKUP_KEEP takes at least 1/],
  ] as const) {
    assert.throws(
      () => readConfig({ ...to, ...wrong }),
      (error: Error) => message.test(error.message) && !error.message.includes(secret),
      JSON.stringify(wrong),
    );
  }
});

for (const [given, published] of [
  ['https://EXAMPLE.com:443/', 'https://example.com'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['HTTPS://example.com/a//', 'https://example.com/a'],
  ['http://[0:0::1]:080', 'http://[::1]'],
] as const) {
  test(`the base URL ${given} is published as URL writes it`, () => {
    const environment = { SYMBOLON_PUBLIC_URL: given, SYMBOLON_FORWARDER_URL: given };
    const { publicUrl, forwarderUrl } = readConfig(environment);
    assert.deepEqual([publicUrl, forwarderUrl], [published, published]);
    assert.equal(
      readConfig({
        SYMBOLON_SECRET: secret,
        SYMBOLON_REGION: 'eu',
        SYMBOLON_REGIONS: `eu=https://e.example,us=${given}`,
        SYMBOLON_DANGEROUSLY_ALLOW_PLAIN_HTTP_BETWEEN_REGIONS: 'true',
      }).regions.get('us'),
      published,
    );
  });
}

for (const name of ['SYMBOLON_PUBLIC_URL', 'SYMBOLON_FRONT_DOOR_URL', 'SYMBOLON_FORWARDER_URL'] as const) {
  for (const value of [
    ' https://example.com ',
    'https://example.com\t',
    'https://exam ple.com',
    'https://example.com?x',
    'https://example.com#x',
    'https://user@example.com',
    'https://:secret@example.com',
    'https:\\\\example.com',
    'https://@example.com',
    'https://*.example.com',
    'https://.',
    'https://a..example.com',
    'https://0.0.0.0',
    'http://0',
    'http://[::]:8080',
  ]) {
    test(`${name} refuses ${JSON.stringify(value)}`, () => {
      assert.throws(() => readConfig({ [name]: value }), new RegExp(`^ConfigError: ${name} takes `));
    });
  }
}

test('other URLs take no blanks either', () => {
  for (const [name, value] of [
    ['DATABASE_URL', ' postgres://db.example'],
    ['SYMBOLON_REDIS_URL', 'redis://cache.example '],
    ['SYMBOLON_SMTP_URL', 'smtp://mail.exa mple'],
    ['SYMBOLON_TIMESTAMP_URL', ' https://time.example'],
  ] as const)
    assert.throws(() => readConfig({ [name]: value }), new RegExp(`${name} takes a URL without blanks`));
});
