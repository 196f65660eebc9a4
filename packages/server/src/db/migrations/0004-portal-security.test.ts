import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '@symbolon/testkit/platform/engines';
import { openEmpty } from '@symbolon/testkit/platform/places';
import { type Kysely, sql } from 'kysely';
import { spine } from './0001-spine.ts';
import { accountClients } from './0003-account-clients.ts';
import { portalSecurity } from './0004-portal-security.ts';

for (const engine of engines) {
  test(`companies from before sign in with the address and password they had (${engine})`, async () => {
    await using empty = await openEmpty(engine);
    const { database } = empty;
    await database.write(async (writer) => {
      const db = writer as unknown as Kysely<unknown>;
      await spine(engine).up(db);
      await sql`
        insert into companies (id, name, email, password_hash, code, account_public_key, account_public_key_sha256,
          account_private_key, recovery_public_key, recovery_private_key, created_at)
        values ('company', 'Acme', 'owner@acme.example', 'argon', 'ACME22', '', '', '', '', '{}', 1769851800000)
      `.execute(db);
      await accountClients(engine).up(db);
      await portalSecurity().up(db);
    });
    const logins = await database.reader.selectFrom('portal_logins').selectAll().execute();
    assert.deepEqual(
      logins.map((row) => ({ ...row })),
      [
        {
          company_id: 'company',
          id: 'company',
          email: 'owner@acme.example',
          name: 'Acme',
          role: 'owner',
          password_hash: 'argon',
          totp_last_step: 0,
          created_at: 1_769_851_800_000,
          totp_secret: null,
          totp_enabled_at: null,
        },
      ],
    );
    const [company] = await database.reader.selectFrom('companies').selectAll().execute();
    assert.ok(company !== undefined && !('password_hash' in company), 'the hash stands in one place');
  });
}
