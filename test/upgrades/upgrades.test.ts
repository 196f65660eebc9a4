import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { bundled, compileCacheOf } from '@symbolon/testkit/platform/bundle';
import { engines } from '@symbolon/testkit/platform/engines';
import { OPERATOR, openPlace } from '@symbolon/testkit/platform/places';
import { processScript } from '@symbolon/testkit/platform/process';
import { rounds } from '@symbolon/testkit/thoroughness';
import { without } from '@symbolon/testkit/tools';
import { type Config, readConfig } from '../../packages/server/src/core/config.ts';
import { planUpgrade } from '../../packages/server/src/db/upgrade-plan.ts';
import { proveBackup, restoreInto } from '../../packages/server/src/domains/operator/backup/index.ts';
import { serve } from '../../packages/server/src/serve.ts';
import { fileOf, readAsCompany, releaseOf, releases } from './release.ts';

/** Kills the upgrade before one statement after the other, until it is through: whatever is left is all of before, or all of now. */
async function upgradeUnderKills(config: Config, environment: Readonly<Record<string, string>>) {
  const script = await bundled(processScript('dying-migration'));
  const before = await planUpgrade(config);
  const env = { ...process.env, ...environment, NODE_COMPILE_CACHE: compileCacheOf(script) };
  for (let kills = 0; ; kills++) {
    const child = spawn(process.execPath, [script], {
      env: { ...env, SYMBOLON_FAULTS_DIE: String(1 + kills * rounds(8, 1)) },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    const after = await planUpgrade(config);
    if (after?.pending.length !== 0) assert.deepEqual(after?.pending, before?.pending);
    if (code === null) continue;
    assert.deepEqual([code, after?.pending], [0, []]);
    assert.ok((before?.pending.length ?? 0) > 0 && kills > 2, `${kills} kills`);
    return;
  }
}

for (const release of releases) {
  for (const engine of engines) {
    const skip = engine === 'postgres' && without('pg_dump', 'pg_restore');
    test(`a filled database of ${release} goes up, however often that is killed, and everything in it is read (${engine})`, {
      skip,
    }, async () => {
      const kept = releaseOf(release, engine);
      await using place = await openPlace(engine, 'empty');
      const environment = {
        ...place.environment,
        SYMBOLON_PORT: '0',
        SYMBOLON_MANAGEMENT_ADDRESS: 'off',
        SYMBOLON_SECRET: kept.secret,
      };
      const config = readConfig(environment);
      const file = join(place.dataDir, 'kept.backup');
      writeFileSync(file, gunzipSync(readFileSync(fileOf(release, engine, 'backup.gz'))));
      const { manifest, end } = await restoreInto(config, file);
      assert.ok((manifest.tables.connections ?? 0) > 0, 'the database is filled');
      await upgradeUnderKills(config, environment);

      const platform = await serve(config);
      try {
        assert.deepEqual(await readAsCompany(platform.url, kept), kept.read);
        // What the upgraded platform backs up can be restored, and its keys open every kind of text.
        const backup = await fetch(`${platform.url}/api/admin/backup`, {
          method: 'POST',
          headers: { authorization: `Bearer ${OPERATOR}` },
        });
        const again = join(place.dataDir, 'again.backup');
        writeFileSync(again, Buffer.from(await backup.arrayBuffer()));
        const proof = await proveBackup({
          ...{
            file: again,
            identities: [],
            folder: join(place.dataDir, 'proof'),
            scratchUrl: place.databaseUrl,
          },
          ...{ region: config.region, secret: kept.secret, dataDir: place.dataDir },
        });
        assert.ok(proof.opened > 0 && proof.blobs >= end.blobs);
      } finally {
        await platform.stop();
      }
    });
  }
}
