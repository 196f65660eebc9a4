import assert from 'node:assert/strict';
import { createCipheriv, randomBytes } from 'node:crypto';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { decryptPem } from '@symbolon/crypto';
import {
  createService,
  createWebhook,
  registerCompany,
  type TestCompany,
} from '@symbolon/testkit/actors/actors';
import { breaks, proves } from '@symbolon/testkit/evidence/evidence';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { engines } from '@symbolon/testkit/platform/engines';
import { insidesOf } from '@symbolon/testkit/platform/insides';
import {
  OPERATOR,
  onEachEngine,
  startPlatform,
  type TestPlatform,
} from '@symbolon/testkit/platform/platform';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createContext } from '../../../context.ts';
import { ConfigError } from '../../../core/config-error.ts';
import { KeyRing } from '../../../core/key-ring.ts';
import { createSecrets } from '../../../core/secrets.ts';
import type { Writer } from '../../../db/database.ts';
import { encryptedColumns } from '../../../db/encrypted-columns.ts';
import type { Table } from '../../../db/table-registry.ts';

const PLACE = { table: 'things', column: 'secret', id: 'one' };
const key = () => randomBytes(32).toString('base64');
const log = pino({ level: 'silent' });

/** Companies with webhooks: everything that is under the key. */
async function fill(platform: TestPlatform, count: number): Promise<TestCompany[]> {
  const companies: TestCompany[] = [];
  for (let index = 0; index < count; index++) {
    const company = await registerCompany(platform);
    companies.push(company);
    const service = await createService(platform, company);
    await createWebhook(platform, service, {
      url: 'https://example.com/hook',
      auth_type: 'bearer',
      auth_token: `token of ${index}`,
    });
  }
  return companies;
}

/** Every text of every table that looks encrypted under a version of the key. */
async function storedUnder(platform: TestPlatform): Promise<string[]> {
  const { reader } = platform.context.database;
  const found: string[] = [];
  for (const table of await tablesOf(platform)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(
      reader as Writer,
    );
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        if (typeof value === 'string' && /^[kv]\d+:[A-Za-z0-9+/=]{20,}$/.test(value)) {
          found.push(`${table}.${column} ${value.slice(0, value.indexOf(':'))}`);
        }
      }
    }
  }
  return found;
}

async function tablesOf({ engine, context }: TestPlatform): Promise<string[]> {
  const query =
    engine === 'sqlite'
      ? sql<{
          name: string;
        }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
      : sql<{
          name: string;
        }>`select table_name as name from information_schema.tables where table_schema = current_schema()`;
  return (await query.execute(context.database.reader as Writer)).rows.map((row) => row.name);
}

const operate = (platform: TestPlatform, method: string, path: string, body?: unknown) =>
  platform.call(method, `/api/admin/keys${path}`, {
    token: OPERATOR,
    ...(body === undefined ? {} : { body }),
  });

for (const engine of engines) {
  describe(`changing the key-encryption key (${engine})`, () => {
    test('with keys in the data folder: re-encrypts in steps, goes on where it stopped, lets go of the old one', async () => {
      await using platform = await startPlatform(engine);
      proves('error:admin.key_in_use', 'error:admin.key_not_found');
      const [company] = await fill(platform, 3);
      assert.ok(company);
      const secretOf = async () => {
        const passphrase = 'a passphrase of ours';
        const { private_key_pem } = await platform.must('POST', '/api/account-key', {
          token: company.token,
          body: { login_secret: company.loginSecret, passphrase },
        });
        return Buffer.from(await decryptPem(private_key_pem, passphrase)).toString('base64');
      };
      const before = await secretOf();
      assert.deepEqual((await operate(platform, 'GET', '')).body, {
        current: 1,
        versions: [{ version: 1, available: true, encrypted: 6, hashes: 6, tokens_until: null }],
      });
      const first = (await operate(platform, 'POST', '/rotate', { batch: 2 })).body;
      assert.deepEqual(first, { current: 2, re_encrypted: 2, remaining: 4 });
      // A process that starts meanwhile reads both, and writes under the new one.
      const other = insidesOf(await createContext(platform.context.config, { clock: platform.clock, log }));
      assert.equal(other.secrets.keys.current, 2);
      assert.match(other.secrets.encrypt(Buffer.from('x'), PLACE), /^k2:/);
      await other.stop();
      assert.deepEqual((await operate(platform, 'POST', '/rotate')).body, {
        current: 2,
        re_encrypted: 4,
        remaining: 0,
      });
      const stored = await storedUnder(platform);
      assert.equal(stored.length, 6);
      assert.ok(
        stored.every((text) => text.endsWith(' k2')),
        `every encrypted column is in the list: ${stored.join(', ')}`,
      );
      assert.equal(await secretOf(), before);

      assert.deepEqual((await operate(platform, 'POST', '/rotate')).body, {
        current: 3,
        re_encrypted: 6,
        remaining: 0,
      });
      const file = join(platform.dataDir, 'secret.key');
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.deepEqual(
        readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .slice(1)
          .map((line) => line.slice(0, 2)),
        ['2:', '3:'],
      );
      for (const [version, status, errorKey] of [
        ['3', 409, 'admin.key_in_use'],
        ['1', 409, 'admin.key_in_use'],
        ['9', 404, 'admin.key_not_found'],
      ] as const) {
        const answer = await operate(platform, 'DELETE', `/${version}`);
        assert.deepEqual([answer.status, answer.body.error_key], [status, errorKey]);
      }
      // Access tokens of version 2 may be valid for another hour.
      assert.equal((await operate(platform, 'DELETE', '/2')).status, 409);
      platform.clock.advance(TOKENS_MS);
      assert.equal((await operate(platform, 'DELETE', '/2')).status, 204);
      assert.doesNotMatch(readFileSync(file, 'utf8'), /^2:/m);
      assert.equal(await secretOf(), before);
      const { items } = await platform.must('GET', '/api/admin/acts', { token: OPERATOR });
      assert.deepEqual(
        items.map((row: { act: string; subject: string }) => `${row.act} ${row.subject}`),
        ['key.dropped 2', 'key.changed 3', 'key.changed 2'],
      );
    });

    test('with keys in SYMBOLON_SECRET: changes to the newest that is there', async () => {
      const [root, second] = [key(), key()];
      const alone = await startPlatform(engine, { SYMBOLON_SECRET: root });
      proves('error:admin.key_missing');
      try {
        const answer = await operate(alone, 'POST', '/rotate');
        assert.deepEqual([answer.status, answer.body.error_key], [409, 'admin.key_missing']);
      } finally {
        await alone.stop();
      }
      const secret = `${root},2:${second}`;
      await using platform = await startPlatform(engine, {
        SYMBOLON_SECRET: secret,
      });
      await fill(platform, 1);
      assert.deepEqual((await operate(platform, 'POST', '/rotate')).body, {
        current: 2,
        re_encrypted: 2,
        remaining: 0,
      });
      const { config } = platform.context;
      await assert.rejects(
        createContext({ ...config, secret: root }, { clock: platform.clock, log }),
        (error: Error) => error instanceof ConfigError && error.message.includes('lacks version 2'),
        'a process without the key does not start',
      );
    });
  });
}

/** Until the last access token of a former version has expired. */
const TOKENS_MS = 62 * 60_000;

onEachEngine('texts that are encrypted in the database', (platform) => {
  const accountKey = (company: TestCompany) =>
    platform().call('POST', '/api/account-key', {
      token: company.token,
      body: { login_secret: company.loginSecret, passphrase: 'a passphrase of ours' },
    });
  const storedKey = async (companyId: string) =>
    (
      await platform()
        .context.database.reader.selectFrom('companies')
        .select('account_private_key')
        .where('id', '=', companyId)
        .executeTakeFirstOrThrow()
    ).account_private_key;
  const store = (companyId: string, text: string) =>
    platform().context.database.write((writer) =>
      writer
        .updateTable('companies')
        .set({ account_private_key: text })
        .where('id', '=', companyId)
        .execute(),
    );

  test('do not decrypt in another row', async () => {
    const [one, other] = [await registerCompany(platform()), await registerCompany(platform())];
    const own = await storedKey(other.id);
    await store(other.id, await storedKey(one.id));
    breaks();
    assert.equal((await accountKey(other)).status, 500);
    await store(other.id, own);
    assert.equal((await accountKey(other)).status, 200);
  });

  test('that are bound to no place are refused', async () => {
    const { secrets } = platform().context;
    const place = { table: 'companies', column: 'account_private_key', id: 'any' };
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', secrets.keys.key('key encryption', 1), iv);
    const data = Buffer.concat([iv, cipher.update('text'), cipher.final(), cipher.getAuthTag()]);
    for (const mark of ['k', 'v'])
      assert.throws(() => secrets.decrypt(`${mark}1:${data.toString('base64')}`, place), mark);
  });
});

test('the rotation knows every column that the table types say is encrypted', async () => {
  const source = fileURLToPath(new URL('../../..', import.meta.url));
  const files = globSync('**/tables.ts', { cwd: source }).map((file) => join(source, file));
  const types = files.map((file) => readFileSync(file, 'utf8'));
  const declared = await Promise.all(files.map((file): Promise<object> => import(file)));
  const tables = declared.flatMap((module) => Object.values(module).filter(Array.isArray).flat()) as Table[];
  const said = [...types.join('').matchAll(/under the server's key-encryption key[^*]*\*\/\s+(\w+):/gi)].map(
    ([, name]) => name,
  );
  assert.ok(said.length > 0);
  // The column that people and logins of the portal share.
  for (const text of types) if (text.includes('SecondFactorColumns')) said.push('totp_secret');
  assert.deepEqual(
    said.toSorted(),
    encryptedColumns(tables)
      .map(({ column }) => column)
      .toSorted(),
  );
});

test('every column with a keyed hash is declared, so that no version is dropped that it needs', async () => {
  const source = fileURLToPath(new URL('../../..', import.meta.url));
  const files = globSync('**/tables.ts', { cwd: source }).map((file) => join(source, file));
  // Hashes of passwords and of attested values have a salt and no key; those of files are addresses, and it is infeasible to guess a push
  // endpoint.
  const others = ['password_hash', 'login_hash', 'thumb_hash', 'endpoint_hash', 'verified_hash'];
  let found = 0;
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const columns = [...text.matchAll(/^\s+(\w+_hash):/gm)].map(([, name = '']) => name);
    // The columns that logins of people and of the portal share.
    if (text.includes('LoginKeyColumns')) columns.push('recovery_hash');
    const tables = Object.values((await import(file)) as object)
      .filter(Array.isArray)
      .flat() as Table[];
    const declared = tables.flatMap((table) => table.hashed ?? []);
    const expected = columns.filter((name) => !others.includes(name));
    found += expected.length;
    assert.deepEqual(declared.toSorted(), expected.toSorted(), file);
  }
  assert.ok(found > 0);
});

test('keys are read strictly, and kept through a restart', async (t) => {
  const { path: dataDir } = temporaryFolder(t);
  const ring = new KeyRing(undefined, dataDir);
  const stored = createSecrets(ring).encrypt(Buffer.from('old'), PLACE);
  ring.use(ring.add());
  const newer = createSecrets(ring).encrypt(Buffer.from('new'), PLACE);
  const again = createSecrets(new KeyRing(undefined, dataDir));
  assert.deepEqual(
    [again.decrypt(stored, PLACE).toString(), again.decrypt(newer, PLACE).toString()],
    ['old', 'new'],
  );
  assert.throws(() => again.decrypt('k9:AAAA', PLACE), /Version 9 .* is not in/);
  assert.throws(() => again.decrypt('AAAA', PLACE), /Not encrypted/);

  const root = key();
  for (const text of [
    '',
    'short',
    `${root},2:short`,
    `${root},1:${key()}`,
    `${root},2:${key()},2:${key()}`,
    `${root},${key()}`,
  ]) {
    assert.throws(() => new KeyRing(text, dataDir), ConfigError, text);
  }
  writeFileSync(join(dataDir, 'secret.key'), `${root}\n`);
  assert.deepEqual(
    new KeyRing(undefined, dataDir).versions,
    [1],
    'a file of the first version is read as ever',
  );
});
