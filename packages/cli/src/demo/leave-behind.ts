import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { writePrivate } from '../files/whole-file.ts';
import type { CompanySide } from './scenes/company.ts';
import type { Player } from './scenes/people.ts';

/** What is needed to go on where the demo ends. */
export type Credentials = {
  portal_email: string;
  portal_password: string;
  /** Of the company's recovery key, to which passphrases are sealed. */
  recovery_key_fingerprint: string;
  client_id: string;
  client_secret: string;
  company_code: string;
  service_code: string;
  config_file: string;
  private_key_file: string;
  passphrase_file: string;
  buffer_file: string;
  /** Of a person who signs in without a second factor. */
  person_email: string;
  person_password: string;
};

/** Writes the client's configuration, its key and the passphrase beside the database, readable by their owner only. */
export function leaveBehind(
  { folder, url }: { folder: string; url: string },
  made: Omit<CompanySide, 'row' | 'account'>,
  person: Pick<Player, 'client' | 'password'>,
): Credentials {
  const files = {
    config_file: join(folder, 'client.json'),
    private_key_file: join(folder, 'service-key.pem'),
    passphrase_file: join(folder, 'passphrase.txt'),
  };
  const codes = { company_code: made.service.companyCode, service_code: made.service.serviceCode };
  const client = { client_id: made.client.id, client_secret: made.client.secret };
  const config = {
    base_url: url,
    ...client,
    private_key_file: 'service-key.pem',
    passphrase: made.key.passphrase,
    ...codes,
  };
  writePrivate(files.config_file, `${JSON.stringify(config, null, 2)}\n`);
  writePrivate(files.private_key_file, made.key.pem);
  writePrivate(files.passphrase_file, `${made.key.passphrase}\n`);
  return {
    portal_email: made.portal.email,
    portal_password: made.portal.password,
    recovery_key_fingerprint: made.portal.recoveryKeyFingerprint,
    ...client,
    ...codes,
    ...files,
    buffer_file: join(folder, 'changes.db'),
    person_email: person.client.person.email,
    person_password: person.password,
  };
}

/** Nothing that could be guessed, on a platform that may be left running. */
export function randomPassword(): string {
  return randomBytes(12).toString('base64url');
}
