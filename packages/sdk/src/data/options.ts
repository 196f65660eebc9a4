import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { privateKeyObject, textOfFile } from '@symbolon/crypto/node';
import { normalizeBase } from '@symbolon/protocol/constants';
import { ConfigurationError } from '../http/errors.ts';
import type { TransportOptions } from '../http/transport.ts';
import type { KnownKeysOptions } from '../known-keys/file-keys.ts';
import type { PrivateKeySource } from '../values/private-key-source.ts';

export type DataClientOptions = TransportOptions &
  KnownKeysOptions & {
    /** The front door, for example `https://symbolon.example`. */
    url: string;
    /** `svc_…` */
    clientId: string;
    clientSecret: string;
    /** The service's private key. Without one, values stay sealed. */
    privateKey?: PrivateKeySource | undefined;
    /** The largest number of decryption threads. Default: what the machine runs in parallel, at most 8. */
    threads?: number | undefined;
    /** The operator's word in header names. Default `Platform`. */
    headerName?: string | undefined;
  };

type OptionNames = [url: string, id: string, secret: string];
const VARIABLES: OptionNames = ['SYMBOLON_URL', 'SYMBOLON_CLIENT_ID', 'SYMBOLON_CLIENT_SECRET'];

/**
 * Options from environment variables: `SYMBOLON_URL`, `SYMBOLON_CLIENT_ID`, `SYMBOLON_CLIENT_SECRET`,
 * `SYMBOLON_PRIVATE_KEY_FILE`, `SYMBOLON_PASSPHRASE`, `SYMBOLON_KNOWN_KEYS_FILE`; those not set are taken from the file
 * `SYMBOLON_CONFIG` names.
 *
 * @throws ConfigurationError `sdk.configuration`
 */
export function optionsFromEnvironment(env: Record<string, string | undefined>): DataClientOptions {
  const file = env.SYMBOLON_CONFIG ? readSettings(env.SYMBOLON_CONFIG) : {};
  const keyFile = env.SYMBOLON_PRIVATE_KEY_FILE || file.keyFile;
  return optionsOf(
    {
      url: env.SYMBOLON_URL || file.url,
      clientId: env.SYMBOLON_CLIENT_ID || file.clientId,
      clientSecret: env.SYMBOLON_CLIENT_SECRET || file.clientSecret,
      keyFile,
      keyPem: env.SYMBOLON_PRIVATE_KEY_FILE ? undefined : file.keyPem,
      passphrase: env.SYMBOLON_PASSPHRASE || file.passphrase,
      knownKeysFile: env.SYMBOLON_KNOWN_KEYS_FILE || file.knownKeysFile,
    },
    VARIABLES,
  );
}

/**
 * Options from a JSON file: `base_url` (or `front_door_url`), `client_id`, `client_secret`, `private_key_file`
 * and `known_keys_file` (relative to the file), `private_key_pem`, `passphrase`.
 *
 * @throws ConfigurationError `sdk.configuration`
 */
export function optionsFromFile(path: string): DataClientOptions {
  return optionsOf(readSettings(path), ['base_url', 'client_id', 'client_secret']);
}

/**
 * The front door without trailing slash.
 *
 * @throws ConfigurationError `sdk.configuration`
 */
export function checkedUrl(url: string): string {
  const base = normalizeBase(url);
  if (base !== undefined) return base;
  throw refuse('The url is not an absolute http or https address.');
}

/**
 * Opens the private key. Errors say what is wrong with it and contain no part of it.
 *
 * @throws ConfigurationError `sdk.private_key`
 */
export function loadPrivateKey(source: PrivateKeySource): KeyObject {
  if ('pkcs8' in source) return checkedKey(() => privateKeyObject(source.pkcs8), KEY_UNUSABLE);
  const pem = 'file' in source ? readText(source.file, 'private key') : source.pem;
  if (!pem.includes('-----BEGIN ')) throw refuse(notPem(pem), [], 'sdk.private_key');
  const { passphrase } = source;
  if (/ENCRYPTED/.test(pem) && !passphrase) {
    throw refuse('The private key is encrypted: set its passphrase.', ['passphrase'], 'sdk.private_key');
  }
  const key = checkedKey(
    () => createPrivateKey({ key: pem, format: 'pem', ...(passphrase && { passphrase }) }),
    passphrase ? 'The passphrase does not open the private key, or the PEM is damaged.' : KEY_UNUSABLE,
  );
  return checkedKey(() => privateKeyObject(key.export({ type: 'pkcs8', format: 'der' })), KEY_UNUSABLE);
}

/** Tells of the JSON in which the platform keeps a key, which is easily taken for the PEM. */
function notPem(text: string): string {
  const isJson = text.trimStart().startsWith('{');
  return `The private key is not a PEM.${isJson ? ' It is JSON: symbolon keys pem makes a PEM of encrypted_private_key.' : ''}`;
}

function optionsOf(settings: Settings, names: OptionNames): DataClientOptions {
  const { url, clientId, clientSecret, keyFile, keyPem, passphrase, knownKeysFile } = settings;
  if (!url || !clientId || !clientSecret) {
    const missing = names.filter((_, index) => ![url, clientId, clientSecret][index]);
    const hint = names === VARIABLES ? ' Set them, or name a configuration file in SYMBOLON_CONFIG.' : '';
    throw refuse(`Missing: ${missing.join(', ')}.${hint}`, missing);
  }
  const privateKey = keyPem
    ? { pem: keyPem, passphrase }
    : keyFile
      ? { file: keyFile, passphrase }
      : undefined;
  return { url, clientId, clientSecret, privateKey, ...(knownKeysFile && { knownKeysFile }) };
}

function readSettings(path: string): Settings {
  const text = readText(path, 'configuration');
  const settings = parseObject(text);
  if (!settings) throw refuse(`The configuration file ${path} is not a JSON object.`);
  const member = (name: string) => {
    const value = settings[name];
    if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
    throw refuse(`In ${path}, ${name} must be a string.`);
  };
  const keyFile = member('private_key_file');
  const knownKeysFile = member('known_keys_file');
  return {
    url: member('front_door_url') || member('base_url'),
    clientId: member('client_id'),
    clientSecret: member('client_secret'),
    keyFile: keyFile && resolve(dirname(path), keyFile),
    keyPem: member('private_key_pem'),
    passphrase: member('passphrase'),
    knownKeysFile: knownKeysFile && resolve(dirname(path), knownKeysFile),
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function readText(path: string, what: string): string {
  try {
    return textOfFile(readFileSync(path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw refuse(`The ${what} file ${path} cannot be read (${code}).`);
  }
}

/** The cause is left out, because its text could contain a part of the key. */
function checkedKey(load: () => KeyObject, message: string): KeyObject {
  try {
    return load();
  } catch {
    throw refuse(message, [], 'sdk.private_key');
  }
}

function refuse(message: string, missing: string[] = [], errorKey = 'sdk.configuration'): ConfigurationError {
  return new ConfigurationError({ errorKey, message, details: missing.length > 0 ? { missing } : {} });
}

type Settings = {
  url?: string | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  keyFile?: string | undefined;
  keyPem?: string | undefined;
  passphrase?: string | undefined;
  knownKeysFile?: string | undefined;
};

const KEY_UNUSABLE = 'The private key is not an RSA-2048 key in PKCS#8.';
