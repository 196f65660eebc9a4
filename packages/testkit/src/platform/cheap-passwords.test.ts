import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashPassword, passwordMatches } from '../../../server/src/access/passwords.ts';

const PACKAGES = join(import.meta.dirname, '../../..');

/** This file loads nothing of the test kit: it hashes as production does. */
test('production hashes at its own cost', async () => {
  const hash = await hashPassword('correct horse');
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await passwordMatches('correct horse', hash, '192.0.2.1'), true);
  assert.equal(await passwordMatches('wrong horse', hash, '192.0.2.1'), false);
});

test('nothing but the test kit can lower the cost', () => {
  const sources = globSync('{server,cli,sdk,crypto}/src/**/*.ts', { cwd: PACKAGES });
  const touching = sources
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /passwordCost|cheap-passwords/.test(readFileSync(join(PACKAGES, file), 'utf8')));
  assert.deepEqual(touching, ['server/src/access/passwords.ts']);
  const passwords = readFileSync(join(PACKAGES, 'server/src/access/passwords.ts'), 'utf8');
  assert.doesNotMatch(passwords, /process\.env/);
});
