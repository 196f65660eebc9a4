import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { createContext, Script } from 'node:vm';
import { generateKeyPair, sealAccountEnvelope } from '@symbolon/crypto';
import { rolldown } from 'rolldown';
import type * as Webhooks from './index.ts';
import { fieldUpdated, SECRET, signed, WEBHOOK_ID } from './testing/deliveries.ts';

/** All that the receivers of webhooks may ask of a runtime. */
const STANDARD = {
  crypto: globalThis.crypto,
  CryptoKey,
  Headers,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  atob,
  btoa,
};
const MOST_BYTES = 15_000;

let code: string;
before(async () => {
  code = await bundled(`export * from './index.ts';`, 'iife');
});

/** A program as bundlers make it for a runtime that they know nothing of. */
async function bundled(program: string, format: 'iife' | 'esm'): Promise<string> {
  const input = join(import.meta.dirname, 'program.ts');
  const plugin = {
    name: 'program',
    resolveId: (id: string) => (id === input ? id : null),
    load: (id: string) => (id === input ? program : null),
  };
  await using bundle = await rolldown({
    input,
    plugins: [plugin],
    platform: 'neutral',
    external: /^node:/,
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format, name: 'webhooks', minify: true });
  assert.equal(output.length, 1);
  return output[0].code;
}

/** The subpath as a runtime has it that knows Web Crypto and fetch, and nothing of Node. */
function load(): typeof Webhooks {
  const context = createContext({ ...STANDARD });
  new Script(`${code}; globalThis.webhooks = webhooks`).runInContext(context);
  return context.webhooks;
}

test('a receiver of webhooks is small, and names nothing of Node', async () => {
  const receiver = await bundled(`export { fetchHandler, WebhookReceiver } from './index.ts';`, 'esm');
  const bytes = Buffer.byteLength(receiver);
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
  assert.doesNotMatch(code, /["'`]node:|\brequire\b|\bprocess\b|\bBuffer\b/);
});

test('without Node, a receiver verifies, opens envelopes and refuses what is forged', async () => {
  const { fetchHandler, WebhookReceiver } = load();
  const account = await generateKeyPair();
  const handed: unknown[] = [];
  const receiver = new WebhookReceiver({
    webhooks: { authType: 'hmac', secret: SECRET },
    accountKey: { pkcs8: account.privateKey },
    onEvent: (event, { enveloped, webhookId }) => void handed.push([event.slug, enveloped, webhookId]),
  });
  const handle = fetchHandler(receiver);
  const post = async ({ headers, body }: ReturnType<typeof signed>) => {
    const request = { method: 'POST', headers: headers as Record<string, string>, body };
    return (await handle(new Request('https://shop.example/hook', request))).status;
  };
  const envelope = JSON.stringify(
    await sealAccountEnvelope(JSON.stringify(fieldUpdated()), account.publicKey),
  );
  assert.equal(await post(signed(fieldUpdated({ slug: 'phone' }))), 200);
  assert.equal(await post(signed(envelope)), 200);
  assert.equal(await post(signed(fieldUpdated({ slug: 'phone' }), 'another secret')), 401);
  assert.equal((await handle(new Request('https://shop.example/hook'))).status, 405);
  assert.deepEqual(handed, [
    ['phone', false, WEBHOOK_ID],
    ['email', true, WEBHOOK_ID],
  ]);
});

test('without Node, an account key that cannot be used is named', async () => {
  const { importAccountKey } = load();
  const sources = [{ pem: '-----BEGIN' }, { file: 'account.pem' }, { pkcs8: new Uint8Array(9) }];
  for (const source of sources)
    await assert.rejects(async () => importAccountKey(source), { errorKey: 'sdk.private_key' });
});
