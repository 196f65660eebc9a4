/**
 * Keeps filled databases of the version that is checked out, for the tests that upgrade them: run it once for each release, with what was
 * released checked out, and commit what it writes. `node test/upgrades/make.ts`
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { DataClient } from '@symbolon/sdk';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { startPostgres } from '@symbolon/testkit/servers/postgres';
import { leaveBehind } from '../../packages/cli/src/demo/leave-behind.ts';
import { silentNarrator } from '../../packages/cli/src/demo/narrator.ts';
import { approveLogin } from '../../packages/cli/src/demo/scenes/approving.ts';
import { openCompany } from '../../packages/cli/src/demo/scenes/company.ts';
import { sendContract, signContract } from '../../packages/cli/src/demo/scenes/contract.ts';
import { makeContract } from '../../packages/cli/src/demo/scenes/flow.ts';
import { registerPeople } from '../../packages/cli/src/demo/scenes/people.ts';
import { proveAddress } from '../../packages/cli/src/demo/scenes/proof.ts';
import { share } from '../../packages/cli/src/demo/scenes/sharing.ts';
import { openSite, signIn } from '../../packages/cli/src/demo/scenes/signing-in.ts';
import { readConfig } from '../../packages/server/src/core/config.ts';
import { version } from '../../packages/server/src/core/version.ts';
import type { Engine } from '../../packages/server/src/db/database.ts';
import { serve } from '../../packages/server/src/serve.ts';
import { fileOf, type Release, readAsCompany } from './release.ts';

const postgres = await startPostgres();
assert.ok(postgres, 'PostgreSQL is not on this machine.');
try {
  for (const engine of ['sqlite', 'postgres'] as const) await keep(engine, postgres.url);
} finally {
  await postgres.stop();
}

/** Plays what the demo plays, but for what reads the file of its database. */
async function fill(stage: { url: string; folder: string; operator: { url: string; token: string } }) {
  const { url, folder } = stage;
  const tell = silentNarrator;
  const company = await openCompany(stage, tell);
  const { mira, jonas, aiko } = await registerPeople(stage, tell);
  await proveAddress(mira, folder, tell);
  const [connectionId = ''] = (await share([mira, jonas, aiko], company, tell)).keys();
  const { id: clientId, secret: clientSecret } = company.client;
  await using backend = new DataClient({ url, clientId, clientSecret, privateKey: company.key, threads: 1 });
  const scene = { company, player: mira, connectionId, url, folder, buffer: join(folder, 'changes.db') };
  await signContract(backend, scene, tell);
  await makeContract(backend, scene, tell);
  const site = await openSite(url, company);
  await signIn(site, mira, tell);
  await approveLogin(backend, { ...scene, site }, tell);
  await sendContract(backend, jonas);
  return leaveBehind({ url, folder }, company, jonas);
}

async function keep(engine: Engine, databaseUrl: string): Promise<void> {
  using folder = temporaryFolder();
  const secret = randomBytes(32).toString('base64');
  const token = randomBytes(32).toString('hex');
  const platform = await serve(
    readConfig({
      SYMBOLON_PORT: '0',
      SYMBOLON_MANAGEMENT_ADDRESS: 'off',
      SYMBOLON_DATA_DIR: folder.path,
      SYMBOLON_SECRET: secret,
      SYMBOLON_OPERATOR_TOKEN: token,
      SYMBOLON_LOG_LEVEL: 'error',
      ...(engine === 'postgres' && { DATABASE_URL: databaseUrl }),
    }),
  );
  try {
    const { url } = platform;
    const credentials = await fill({ url, folder: folder.path, operator: { url, token } });
    const who: Omit<Release, 'read' | 'secret'> = {
      portal: { email: credentials.portal_email, password: credentials.portal_password },
      client: {
        clientId: credentials.client_id,
        clientSecret: credentials.client_secret,
        privateKey: {
          pem: readFileSync(credentials.private_key_file, 'utf8'),
          passphrase: readFileSync(credentials.passphrase_file, 'utf8').trim(),
        },
      },
    };
    const release: Release = { secret, ...who, read: await readAsCompany(url, who) };
    const backup = await fetch(`${url}/api/admin/backup`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(backup.status, 200);
    const bytes = Buffer.from(await backup.arrayBuffer());
    mkdirSync(dirname(fileOf(version, engine, 'json')), { recursive: true });
    writeFileSync(fileOf(version, engine, 'json'), `${JSON.stringify(release, null, 2)}\n`);
    writeFileSync(
      fileOf(version, engine, 'backup.gz'),
      gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }),
    );
  } finally {
    await platform.stop();
  }
}
