import { Problem } from '../problem.ts';
import { type Caller, findCaller, reach, type SignInOptions } from '../profile/caller.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, printable } from '../terminal/text.ts';

/** Shows the identity under which other commands act, and its source. */
export async function whoAmI(options: SignInOptions & { json?: boolean }): Promise<void> {
  const caller = await findCaller(options);
  const { base, token } = await caller.authorize();
  const answer = await firstAnswer(base, token, PATHS[caller.kind]);
  if (answer === undefined) {
    const todo =
      caller.kind === 'portal session' ? ' Sign in again: symbolon login.' : ' Check the credentials.';
    throw new Problem(`The sign-in of ${caller.from} does not count any more.${todo}`);
  }
  if (options.json) {
    await writeLine(jsonLine({ kind: caller.kind, from: caller.from, base_url: caller.baseUrl, ...answer }));
    return;
  }
  const { bold, dim, name } = createPaint(process.stdout);
  await writeLine(`${bold(nameOf(answer))}  ${caller.kind} at ${name(base)}  ${dim(caller.from)}`);
}

async function firstAnswer(base: string, token: string, paths: readonly string[]) {
  for (const path of paths) {
    const response = await reach(base + path, { headers: { authorization: `Bearer ${token}` } });
    if (response.ok) return (await response.json()) as Record<string, unknown>;
    if (response.status >= 500) throw new Problem(`${base} answers with status ${response.status}.`);
  }
  return undefined;
}

function nameOf(answer: Record<string, unknown>): string {
  const { name, display_name, service_id, service_name, company_name } = answer;
  if (typeof service_name === 'string') return printable(`${service_name} of ${company_name}`);
  const text =
    name ?? display_name ?? (typeof service_id === 'string' ? `service ${service_id}` : 'operator');
  return printable(String(text));
}

/** Older platforms know of no names. */
const OF_DATA_CLIENT = ['/api/company-data/whoami?names=true', '/api/company-data/whoami'] as const;

const PATHS: Record<Caller['kind'], readonly string[]> = {
  'data client': OF_DATA_CLIENT,
  'account client': ['/api/account'],
  'portal session': ['/api/account'],
  token: ['/api/account', '/api/person/me', ...OF_DATA_CLIENT, '/api/admin/statistics'],
};
