import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from '../../files/whole-file.ts';
import { Problem } from '../../problem.ts';
import { membersOf } from '../body.ts';
import { confirmed } from '../confirm.ts';
import { finish, printSteps, type Run, stepOf } from '../run.ts';

/**
 * Creates a service, or gives one a new key. The key is made here; the platform gets it encrypted, and the passphrase sealed
 * to the recovery key.
 */
export async function makeServiceKey(run: Run): Promise<void> {
  const { verb, options, places, caller } = run;
  const members = await membersOf(verb, options);
  if (options.dryRun) {
    return printSteps(run, [stepOf(verb.call, places, { ...members, ...MADE_HERE })]);
  }
  const files = keyFiles(options.out);
  await confirmed(run);
  const company = await caller.openCompany();
  const { service, passphrase, pem } = await (verb.special === 'create-service'
    ? company.createService({ name: String(members.name), adminEmail: String(members.admin_email) })
    : company.replaceServiceKey(places.service ?? ''));
  writePrivate(files.private_key_file, pem);
  writePrivate(files.passphrase_file, `${passphrase}\n`);
  await finish(run, { ...service, ...files });
}

/** @throws Problem when there are keys already */
function keyFiles(out: unknown) {
  if (typeof out !== 'string') {
    throw new Problem('Name a folder for the private key and its passphrase with --out.', { exitCode: 2 });
  }
  const files = {
    private_key_file: join(out, 'service-key.pem'),
    passphrase_file: join(out, 'passphrase.txt'),
  };
  const taken = Object.values(files).find((file) => existsSync(file));
  if (taken === undefined) return files;
  throw new Problem(`${taken} is there already, and it may be the only copy of a key. Choose another --out.`);
}

const MADE = '(made here)';
const MADE_HERE = {
  public_key: MADE,
  encrypted_private_key: MADE,
  private_key_pem: MADE,
  passphrase_recovery_copy: MADE,
};
