import { get as getPlain } from 'node:http';
import { text } from 'node:stream/consumers';
import { normalizeBase } from '@symbolon/protocol/constants';
import {
  DEFAULT_MANAGEMENT_ADDRESS,
  managementBase,
  readManagementAddress,
} from '@symbolon/server/management';
import type { HealthOptions } from '../commands/health.ts';
import { Problem, unreachable } from '../problem.ts';
import { writeLine } from '../terminal/output.ts';
import { printable } from '../terminal/text.ts';

const ANSWER_MOST_MS = 5_000;

interface Answer {
  readonly status?: unknown;
  readonly checks?: Readonly<Record<string, { state: string; needed: boolean; detail?: string }>>;
  readonly away?: readonly string[];
}

/** Prints a line that says how it is. @throws Problem when it is not well */
export async function askHealth(
  options: HealthOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const url = addressOf(options, environment);
  const { code, body } = await ask(url);
  const answer = parse(url, body);
  if (options.json === true) await writeLine(JSON.stringify(answer));
  const status = printable(String(answer.status));
  const isWell = code === 200 && (options.url === undefined || answer.status === 'ok');
  const why = [...failures(answer), ...(answer.away ?? []).map(printable)].join('; ');
  const said = why === '' ? status : `${status}: ${why}`;
  if (!isWell) throw new Problem(said);
  if (options.json !== true) await writeLine(said);
}

/** @throws Problem, ConfigError */
function addressOf(
  { live, address, url }: HealthOptions,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (url !== undefined) {
    const base = normalizeBase(url);
    if (base === undefined)
      throw new Problem('--url takes the address of the platform: https://api.example.com.', { exitCode: 2 });
    return `${base}/api/health`;
  }
  const configured = address ?? (environment.SYMBOLON_MANAGEMENT_ADDRESS || DEFAULT_MANAGEMENT_ADDRESS);
  const management = readManagementAddress(configured);
  if (management === undefined)
    throw new Problem('SYMBOLON_MANAGEMENT_ADDRESS is off: nothing can be asked.', { exitCode: 2 });
  if (management.port === 0)
    throw new Problem('The management address has port 0: name the port of its log, with --address.', {
      exitCode: 2,
    });
  return `${managementBase(management)}/${live === true ? 'livez' : 'readyz'}`;
}

/** Without what fetch would load: containers run this every few seconds. */
async function ask(url: string): Promise<{ code: number; body: string }> {
  const signal = AbortSignal.timeout(ANSWER_MOST_MS);
  const get = url.startsWith('https:') ? (await import('node:https')).get : getPlain;
  try {
    return await new Promise((resolve, reject) => {
      get(url, { agent: false, signal }, (response) => {
        text(response).then((body) => resolve({ code: response.statusCode ?? 0, body }), reject);
      }).once('error', reject);
    });
  } catch (cause) {
    throw unreachable(url, cause);
  }
}

function parse(url: string, body: string): Answer {
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer === 'object' && answer !== null && 'status' in answer) return answer;
  } catch {}
  throw new Problem(`${url} answers with something else than the platform would.`);
}

const failures = ({ checks = {} }: Answer): string[] =>
  Object.entries(checks)
    .filter(([, { state, needed }]) => state === 'failed' || (needed && state === 'unknown'))
    .map(([name, { detail = 'no answer yet' }]) => printable(`${name}: ${detail}`));
