import { PortalClient } from '@symbolon/sdk/portal';
import { writePrivate } from '../files/whole-file.ts';
import { Problem } from '../problem.ts';
import { secretFrom } from '../resources/body.ts';
import { refuseTaken } from '../resources/keep.ts';
import { askSecret } from '../terminal/ask-secret.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, printable } from '../terminal/text.ts';
import { platformUrl } from './caller.ts';
import { keepSession } from './log-in.ts';
import { askedProfile, DEFAULT_PROFILE, readProfile } from './profile.ts';

export type RegisterOptions = {
  name: string;
  email: string;
  url?: string;
  passwordFile?: string;
  codeFile?: string;
  withoutCode?: boolean;
  out?: string;
  profile?: string;
  json?: boolean;
};

/** Registers a company with keys that are made here, and keeps its session as `symbolon login` does. */
export async function registerCompany(options: RegisterOptions): Promise<void> {
  const { name, email, out } = options;
  const profile = askedProfile(options.profile) ?? DEFAULT_PROFILE;
  // It may be the only way to another company.
  if (readProfile(profile) !== undefined) {
    throw new Problem(`There is a profile ${profile} already. Name another with --profile.`, { exitCode: 2 });
  }
  refuseTaken(out);
  const baseUrl = platformUrl(options.url);
  const password = await passwordOf(options);
  const code = options.withoutCode ? undefined : () => codeOf(options);
  const { client, recoveryCode } = await PortalClient.register({
    ...{ baseUrl, name, email, password },
    ...(code && { code }),
  });
  if (out !== undefined) writePrivate(out, `${recoveryCode}\n`);
  const company = await keepSession(profile, client, { baseUrl, email });
  if (options.json) {
    const { company_code, company_user_id } = company;
    const shown = out === undefined ? { recovery_code: recoveryCode } : { recovery_code_file: out };
    return writeLine(jsonLine({ company_code, company_user_id, profile, ...shown }));
  }
  const { good, bold, dim } = createPaint(process.stdout);
  await writeLine(
    `${good('✓')} ${bold(printable(company.name))} is registered as ${company.company_code}  ${dim(`profile ${profile}`)}`,
  );
  await writeLine(
    out === undefined
      ? `${bold('Recovery code')}  ${recoveryCode}  ${dim('shown this once: it is the only way back after a lost password')}`
      : `${bold('Recovery code')}  ${out}`,
  );
}

/** A new one is typed twice. */
async function passwordOf({ passwordFile }: RegisterOptions): Promise<string> {
  if (passwordFile !== undefined) return secretFrom(passwordFile, 'password-file');
  if (process.env.SYMBOLON_PASSWORD) return process.env.SYMBOLON_PASSWORD;
  const instead = 'Give the password with --password-file or in SYMBOLON_PASSWORD.';
  const password = await askSecret('Password', instead);
  if ((await askSecret('The same again', instead)) === password) return password;
  throw new Problem('These are two passwords. Nothing was registered.', { exitCode: 2 });
}

function codeOf({ codeFile }: RegisterOptions): Promise<string> {
  if (codeFile !== undefined) return secretFrom(codeFile, 'code-file');
  return askSecret('Code that was mailed to you', 'Give the code with --code-file.');
}
