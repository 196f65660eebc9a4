import { withSecretFiles } from '@symbolon/server/secret-files';
import { Problem, unreachable } from '../problem.ts';
import { platformUrl } from '../profile/caller.ts';

const ANSWER_MOST_MS = 120_000;

/** Where the platform is, and what opens its operator's routes. */
export interface Operator {
  readonly url: string;
  readonly token: string;
}

/** @throws Problem without a token */
export function findOperator(options: { url?: string }): Operator {
  const env = withSecretFiles(process.env);
  const token = env.SYMBOLON_OPERATOR_TOKEN || env.SYMBOLON_OPERATOR_READ_TOKEN;
  // Never an option: what stands on a command line, everybody on the machine can read.
  if (!token) {
    throw new Problem(
      'Give the operator token in SYMBOLON_OPERATOR_TOKEN: the one the platform was started with.',
      {
        exitCode: 2,
      },
    );
  }
  return { url: platformUrl(options.url), token };
}

/** One call of the operator's routes; gives the JSON of the answer. */
export async function operate<T>(
  operator: Operator,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`${operator.url}/api/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${operator.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MOST_MS),
    });
  } catch (error) {
    throw unreachable(operator.url, error);
  }
  const text = await response.text();
  if (!response.ok) throw refused(operator, response.status, text, response.headers.get('x-request-id'));
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** What an answer that is no success means, with what to do. */
export function refused({ url }: Operator, status: number, text: string, requestId: string | null): Problem {
  let answer: { error?: unknown; error_key?: unknown; issues?: unknown; api_url?: unknown } = {};
  try {
    answer = JSON.parse(text) ?? {};
  } catch {}
  const { error, error_key: key } = answer;
  if (key === 'auth.invalid' || key === 'auth.forbidden') {
    return new Problem(`${url} does not know this operator token. Check SYMBOLON_OPERATOR_TOKEN.`, {
      exitCode: 2,
    });
  }
  if (key === 'auth.role_forbidden') {
    return new Problem(
      `This operator token only reads, and ${url} has changed nothing. Acts take the token in SYMBOLON_OPERATOR_TOKEN that the platform was started with.`,
      { exitCode: 2 },
    );
  }
  if (key === 'request.not_found') {
    return new Problem(
      `${url} has no operator's routes. A front door of its own has none, only its directory: name a region with --url. A region has them when it is started with SYMBOLON_OPERATOR_TOKEN.`,
    );
  }
  if (key === 'region.rebase_required' && typeof answer.api_url === 'string') {
    return new Problem(`The company is at home in another region: --url ${answer.api_url}`);
  }
  if (typeof error !== 'string' || typeof key !== 'string') {
    return new Problem(`${url} answers with something else than the platform would (status ${status}).`);
  }
  const issues = Array.isArray(answer.issues)
    ? answer.issues
        .map((issue: { path?: unknown; message?: unknown }) => ` ${issue.path}: ${issue.message}`)
        .join('')
    : '';
  const request = requestId === null ? '' : `, request ${requestId}`;
  return new Problem(`${error}${issues} (${key}${request})`);
}
