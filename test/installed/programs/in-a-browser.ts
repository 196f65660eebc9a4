/** What runs on a person's device. The test bundles this for browsers and compiles it without the types of Node. */
import { generateKeyPair, importPrivateKey, openText, sealValue, serializeWrapper } from '@symbolon/crypto';
import { PersonClient, SymbolonError } from '@symbolon/sdk/person';
import { fetchHandler, WebhookReceiver } from '@symbolon/sdk/webhooks';

/** Seals a text to a new key and opens it again. */
export async function sealAndOpen(text: string): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair();
  return openText(serializeWrapper(await sealValue(text, publicKey)), await importPrivateKey(privateKey));
}

/** The key of the error with which the platform refuses an unknown caller. */
export async function refusalOf(baseUrl: string): Promise<string> {
  try {
    await PersonClient.login({ baseUrl, email: 'nobody@example.org', password: 'not a known password' });
    return 'signed in';
  } catch (error) {
    if (error instanceof SymbolonError) return error.errorKey;
    throw error;
  }
}

/** The status with which a receiver without Node answers a delivery without a signature. */
export async function statusOfForged(): Promise<number> {
  const receiver = new WebhookReceiver({ webhooks: { authType: 'hmac', secret: 'a' }, onEvent: () => {} });
  const request = new Request('http://receiver', { method: 'POST', body: '{"event":"e"}' });
  return (await fetchHandler(receiver)(request)).status;
}
