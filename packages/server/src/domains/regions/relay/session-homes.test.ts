import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newSessionToken, PORTAL_TOKEN_PREFIX } from '../../../access/session-token.ts';
import { PlatformError } from '../../../core/errors.ts';
import { SessionHomes } from './session-homes.ts';

test('a token that was made up asks no region, however often it comes', async () => {
  const secrets = { hashes: (text: string) => [Buffer.from(text).toString('hex').slice(-64)] };
  const asked: string[] = [];
  const homes = new SessionHomes({
    clock: { now: () => 0 },
    regions: { names: ['eu', 'us'] } as never,
    secrets,
    peers: {
      async ask(peer: { region: string }) {
        asked.push(peer.region);
        return { home: peer.region === 'us' };
      },
    } as never,
  });
  for (let round = 0; round < 50; round++) {
    const token = `${PORTAL_TOKEN_PREFIX}${randomBytes(round % 2 === 0 ? 32 : 8).toString('base64url')}`;
    await assert.rejects(
      homes.of(token),
      (error) => error instanceof PlatformError && error.key === 'auth.invalid',
    );
  }
  assert.deepEqual(asked, []);
  assert.equal(await homes.of(newSessionToken(secrets)), 'us');
  assert.deepEqual(asked, ['eu', 'us']);
});
