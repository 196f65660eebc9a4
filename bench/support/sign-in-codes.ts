import { grantFor, type TestApp } from '@symbolon/testkit/actors/sign-ins';
import { KeyRing } from '../../packages/server/src/core/key-ring.ts';
import { createSecrets } from '../../packages/server/src/core/secrets.ts';
import { Codes } from '../../packages/server/src/domains/approval/tokens/codes.ts';
import { openSeed } from './seed.ts';

/** Codes of approved sign-ins, written into the database of a platform that runs as its consent page does. */
export async function openSignInCodes(dataDir: string) {
  const { clock, context, [Symbol.asyncDispose]: close } = await openSeed(dataDir);
  const codes = new Codes({
    clock,
    ids: context.ids,
    secrets: createSecrets(new KeyRing(undefined, dataDir)),
  });
  return {
    mint: (app: TestApp, count: number, codeChallenge: string) =>
      context.database.write(async (writer) => {
        const made: string[] = [];
        while (made.length < count) {
          const nonce = `nonce-${made.length}`;
          made.push(await codes.mint(writer, grantFor(app, { codeChallenge, nonce })));
        }
        return made;
      }),
    [Symbol.asyncDispose]: close,
  };
}
