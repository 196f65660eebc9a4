import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { openPlaintext, readCode } from './codes.ts';
import type { Grant } from './grant.ts';

const grantOf = (companyId: string): Grant => ({
  companyId,
  clientId: 'app_x',
  personEpoch: null,
  personId: 'p1',
  shareCode: 'ABC234',
  mode: 'oidc',
  redirectUri: 'https://shop.example/back',
  codeChallenge: null,
  nonce: null,
  scope: 'openid email',
  twoFactor: false,
  values: {},
  attestations: {},
  plaintext: { email: 'ada@example.com', email_verified: true },
});

onEachEngine('codes of sign-ins', (platform) => {
  test('are stored as a hash, and what they open is readable with them alone', async () => {
    const { database, codes } = platform().context;
    const company = await registerCompany(platform());
    const grant = grantOf(company.id);
    const code = await database.write((writer) => codes.mint(writer, grant));
    const parts = readCode(code);
    assert.ok(parts);
    const row = await database.reader
      .selectFrom('sign_ins')
      .selectAll()
      .where('id', '=', parts.id)
      .executeTakeFirstOrThrow();
    assert.ok(!JSON.stringify(row).includes(code));
    const { sealed } = await database.reader
      .selectFrom('sign_in_plaintexts')
      .selectAll()
      .where('id', '=', parts.id)
      .executeTakeFirstOrThrow();
    assert.ok(!Buffer.from(sealed, 'base64').includes('ada@'));
    assert.deepEqual(openPlaintext(sealed, parts), grant.plaintext);
    const other = readCode(await database.write((writer) => codes.mint(writer, grant)));
    assert.ok(other);
    assert.throws(() => openPlaintext(sealed, { ...other, id: parts.id }));
    assert.throws(() => openPlaintext(sealed, { ...parts, id: other.id }));
  });

  test('go, with what they gave, when their time is over', async () => {
    const { database, codes, domain } = platform().context;
    const company = await registerCompany(platform());
    await database.write((writer) => codes.mint(writer, grantOf(company.id)));
    const sweep = async () => {
      for (const { run } of domain.sweeps) await run(new AbortController().signal);
    };
    const left = async () => {
      const of = (table: 'sign_ins' | 'sign_in_plaintexts') =>
        database.reader.selectFrom(table).select('id').where('company_id', '=', company.id).execute();
      return [(await of('sign_ins')).length, (await of('sign_in_plaintexts')).length];
    };
    platform().clock.advance(60_000);
    await sweep();
    assert.deepEqual(await left(), [1, 0]);
    platform().clock.advance(3_600_000);
    await sweep();
    assert.deepEqual(await left(), [0, 0]);
  });

  test('have one spelling', () => {
    const code = Buffer.alloc(48, 7).toString('base64url');
    assert.ok(readCode(code));
    assert.equal(readCode(`${code}=`), undefined);
    assert.equal(readCode(code.slice(1)), undefined);
    assert.equal(readCode(Buffer.alloc(49).toString('base64url')), undefined);
  });
});
