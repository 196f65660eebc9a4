import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { textOfFile } from '@symbolon/crypto/node';
import { replacePrivate } from '../files/whole-file.ts';
import { Problem } from '../problem.ts';
import { configFolder } from './config-folder.ts';

/** A company's session on a platform, as `symbolon login` keeps it. */
export type Profile = {
  base_url: string;
  email: string;
  /** Of the company's recovery key, once it was confirmed here. */
  recovery_key_fingerprint?: string;
  /** The recipe of the login keys at the last sign-in: an older one is refused. */
  login_version?: string;
  /** Of the portal session. */
  token: string;
  expires_at: string;
  /** The service that is meant when none is named. */
  service_id?: string;
  /** Of the data client that opens values when no other is named. */
  config_file?: string;
  /** Signs what `symbolon listen` forwards: the same every time, so that an endpoint is configured once. */
  webhook_secret?: string;
};

export const DEFAULT_PROFILE = 'default';

/** The name of the profile that is asked for, if one is. @throws Problem for an invalid name */
export function askedProfile(option: string | undefined): string | undefined {
  const name = option ?? (process.env.SYMBOLON_PROFILE || undefined);
  if (name === undefined || NAME.test(name)) return name;
  throw new Problem(`A profile is named by letters, digits, dots, dashes and underscores, not "${name}".`, {
    exitCode: 2,
  });
}

/**
 * The profile that is asked for; else the default one; else the only one there is.
 *
 * @throws Problem when there is none, or the choice is not clear
 */
export function findProfile(option: string | undefined): { name: string; profile: Profile } {
  const asked = askedProfile(option);
  const names = profileNames();
  const only = names.length === 1 ? names[0] : undefined;
  const name = asked ?? (names.includes(DEFAULT_PROFILE) ? DEFAULT_PROFILE : only);
  const profile = name === undefined ? undefined : readProfile(name);
  if (name !== undefined && profile !== undefined) return { name, profile };
  const missing =
    name !== undefined
      ? `There is no profile ${name}: symbolon login --profile ${name} makes it.`
      : names.length === 0
        ? 'You are not signed in: symbolon login does that.'
        : `Say which profile with --profile: ${names.join(', ')}.`;
  throw new Problem(missing, { exitCode: 2 });
}

/** @throws Problem when the file is not what `login` writes */
export function readProfile(name: string): Profile | undefined {
  const file = fileOf(name);
  let text: string;
  try {
    text = textOfFile(readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const profile = parse(text);
  if (profile !== undefined) return profile;
  throw new Problem(`${file} is not a profile. Delete it and sign in again: symbolon login.`, {
    exitCode: 2,
  });
}

export function writeProfile(name: string, profile: Profile): void {
  replacePrivate(fileOf(name), `${JSON.stringify(profile, null, 2)}\n`);
}

export function removeProfile(name: string): void {
  rmSync(fileOf(name), { force: true });
}

export function profileNames(): string[] {
  try {
    const files = readdirSync(join(configFolder(), FOLDER)).filter((file) => file.endsWith('.json'));
    return files.map((file) => file.slice(0, -'.json'.length)).sort();
  } catch {
    return [];
  }
}

function parse(text: string): Profile | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const members = Object.entries(value);
    const isText = members.every(([, member]) => typeof member === 'string');
    return isText && REQUIRED.every((name) => Object.hasOwn(value, name)) ? (value as Profile) : undefined;
  } catch {
    return undefined;
  }
}

function fileOf(name: string): string {
  return join(configFolder(), FOLDER, `${name}.json`);
}

const FOLDER = 'profiles';
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const REQUIRED = ['base_url', 'email', 'token', 'expires_at'] as const;
