/** What runs on a person's device. The test bundles this for browsers and compiles it without the types of Node. */
import { generateKeyPair, importPrivateKey, openText, sealValue, serializeWrapper } from '@symbolon/crypto';
import { PersonClient, SymbolonError } from '@symbolon/sdk/person';

/** Seals a text to a new key and opens it again. */
export async function sealAndOpen(text: string): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair();
  return openText(serializeWrapper(await sealValue(text, publicKey)), await importPrivateKey(privateKey));
}

/** The key of the error with which the platform refuses somebody it does not know. */
export async function refusalOf(baseUrl: string): Promise<string> {
  try {
    await PersonClient.login({ baseUrl, email: 'nobody@example.org', password: 'not a known password' });
    return 'signed in';
  } catch (error) {
    if (error instanceof SymbolonError) return error.errorKey;
    throw error;
  }
}
