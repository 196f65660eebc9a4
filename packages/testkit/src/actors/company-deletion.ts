import type { TestPlatform } from '../platform/platform.ts';
import { mailedCode } from './portal-logins.ts';

const WAIT_MS = 14 * 24 * 60 * 60_000;

/** Has an owner ask for the deletion of a company, and confirm it. */
export async function confirmDeletion(
  platform: TestPlatform,
  login: { token: string; loginSecret: string; email: string },
) {
  const { token, loginSecret: login_secret, email } = login;
  await platform.must('POST', '/api/account/delete-request', { token, body: { login_secret } });
  const code = await mailedCode(platform, email);
  return platform.must('POST', '/api/account/confirm-delete', { token, body: { code } });
}

/** Deletes the companies whose time has come: what jobs do for it comes in between. */
export async function runDeletions({ context }: TestPlatform): Promise<void> {
  const { signal } = new AbortController();
  await context.accountDeletion.run(signal);
  await context.jobWorker.run();
  await context.accountDeletion.run(signal);
}

/** Deletes companies as their owners do. Two weeks pass: tokens are not valid any more. */
export async function deleteCompanies(
  platform: TestPlatform,
  ...companies: Parameters<typeof confirmDeletion>[1][]
): Promise<void> {
  for (const company of companies) await confirmDeletion(platform, company);
  platform.clock.advance(WAIT_MS);
  await runDeletions(platform);
}
