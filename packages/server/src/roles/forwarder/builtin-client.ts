import { CryptoError, derivePublicKey, type Wrapper } from '@symbolon/crypto';
import { openTextSync, privateKeyObject, sealTextSync } from '@symbolon/crypto/node';
import { readPluginRequest } from '@symbolon/flows';
import { limits, type PluginReply } from '@symbolon/protocol';
import { PlatformError } from '../../core/errors.ts';
import { platformPlugins } from '../../domains/plugins/index.ts';

/** A plugin of the platform, with the private key that the pass carries. */
export interface CalledBuiltin {
  readonly builtin: string;
  /** PKCS#8, base64. */
  readonly private_key: string;
}

/**
 * Answers for a plugin of the platform. Its requests are the only ones that the forwarder opens, and it keeps nothing of them.
 * @throws {PlatformError} plugin.key_changed, plugin.not_responding
 */
export async function callBuiltin(plugin: CalledBuiltin, request: Wrapper | string): Promise<Wrapper> {
  const pkcs8 = Buffer.from(plugin.private_key, 'base64');
  const opened = await openedBy(pkcs8, request);
  const asked = readPluginRequest(opened);
  const builtin = platformPlugins.find(plugin.builtin);
  const knows = builtin?.field_types.some(({ key }) => key === asked?.field_type);
  if (asked === undefined || builtin === undefined || !knows)
    throw new PlatformError('plugin.not_responding', { text: 'The plugin does not understand the request.' });
  try {
    return sealTextSync(JSON.stringify(cut(await builtin.answer(asked))), asked.reply_key);
  } catch (error) {
    if (error instanceof CryptoError)
      throw new PlatformError('plugin.not_responding', { text: 'reply_key is no key.' });
    throw error;
  }
}

/** @throws {PlatformError} plugin.key_changed: the request was sealed to another key */
async function openedBy(pkcs8: Buffer, request: Wrapper | string): Promise<string> {
  try {
    return openTextSync(request, privateKeyObject(pkcs8));
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
    throw new PlatformError('plugin.key_changed', { details: { public_key: await derivePublicKey(pkcs8) } });
  }
}

const cut = (reply: PluginReply): PluginReply =>
  'options' in reply && reply.options.length > limits.pluginOptionsMost
    ? { options: reply.options.slice(0, limits.pluginOptionsMost), more: true }
    : reply;
