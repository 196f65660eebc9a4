import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { ConfigError } from '../core/config-error.ts';
import { KeyRing } from '../core/key-ring.ts';
import type { Database } from './database.ts';
import { noteSecret } from './key-checks.ts';

onPlatform('the secret that a database knows', (platform) => {
  test('is the one of the process that notes it first', async () => {
    const { clock, database } = platform().context;
    const first = readFileSync(join(platform().dataDir, 'secret.key'), 'utf8').trim();
    const ring = () => new KeyRing(`${first},2:${randomBytes(32).toString('base64')}`, platform().dataDir);
    const faster = ring();
    const overtaken: Database = {
      ...database,
      write: async (work) => {
        await noteSecret(database, faster, clock);
        return database.write(work);
      },
    };
    await assert.rejects(noteSecret(overtaken, ring(), clock), ConfigError);
    await noteSecret(database, faster, clock);
  });
});
