import { textOfFile } from '@symbolon/crypto/node';
import { Problem } from '../problem.ts';
import { type Caller, findCaller, followed, reach, type SignInOptions } from '../profile/caller.ts';
import { readAll } from '../terminal/input.ts';
import { writeOut } from '../terminal/output.ts';

export type CallOptions = SignInOptions & {
  json?: string;
  file?: string;
  query?: string[];
  header?: string[];
};

/**
 * Makes one call with the stored sign-in and prints the answer. The exit code is 0 when the platform did it, 4 when it
 * refused the request and 5 when it failed.
 */
export async function callApi(method: string, path: string, options: CallOptions): Promise<void> {
  const verb = method.toUpperCase();
  if (!METHODS.includes(verb)) {
    throw new Problem(`${method} is not a method: ${METHODS.join(', ')}.`, { exitCode: 2 });
  }
  // A foreign address would be sent the token.
  if (!/^\/(?!\/)/.test(path)) {
    throw new Problem(`The path begins with a slash, such as /api/account, not "${path}".`, { exitCode: 2 });
  }
  const body = await bodyOf(options);
  const init = { method: verb, headers: headersOf(options, body), ...(body !== undefined && { body }) };
  const response = await send(await findCaller(options), withQuery(path, options.query ?? []), init);
  await print(response);
  if (response.ok) return;
  process.exitCode = response.status >= 500 ? 5 : 4;
}

/** Sends it, and once more to the region that a 421 names. */
async function send(
  caller: Caller,
  path: string,
  init: RequestInit & { headers: Headers },
): Promise<Response> {
  const { base, token } = await caller.authorize();
  init.headers.set('authorization', `Bearer ${token}`);
  const response = await reach(base + path, init);
  if (response.status !== 421) return response;
  const { api_url: home } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { api_url?: unknown };
  return home === undefined ? response : reach(followed(caller.baseUrl, home) + path, init);
}

async function bodyOf({ json, file }: CallOptions): Promise<string | undefined> {
  if (json !== undefined && file !== undefined) {
    throw new Problem('Give the body with --json or with --file, not both.', { exitCode: 2 });
  }
  const text = file === undefined ? json : textOfFile(await readAll(file));
  if (text === undefined) return undefined;
  try {
    JSON.parse(text);
    return text;
  } catch {
    throw new Problem(`${file === undefined ? 'The text after --json' : file} is not JSON.`, { exitCode: 2 });
  }
}

function headersOf({ header = [] }: CallOptions, body: string | undefined): Headers {
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  for (const [name, value] of header.map((text) => pairOf(text, ':', '--header NAME:VALUE'))) {
    headers.set(name, value.trim());
  }
  return headers;
}

function withQuery(path: string, query: string[]): string {
  const pairs = query.map((text) => pairOf(text, '=', '--query NAME=VALUE'));
  if (pairs.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(pairs)}`;
}

function pairOf(text: string, between: string, form: string): [string, string] {
  const at = text.indexOf(between);
  if (at < 1) throw new Problem(`It is ${form}, not "${text}".`, { exitCode: 2 });
  return [text.slice(0, at), text.slice(at + 1)];
}

/** JSON is printed for reading, anything else byte for byte. A refusal is named on stderr too. */
async function print(response: Response): Promise<void> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  const answer = isJson && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : undefined;
  await writeOut(answer === undefined ? bytes : `${escaped(JSON.stringify(answer, null, 2))}\n`);
  if (response.ok) return;
  const key = answer?.error_key ?? answer?.error ?? response.statusText;
  const request = response.headers.get('x-request-id');
  process.stderr.write(`error: ${response.status} ${key}${request === null ? '' : `, request ${request}`}\n`);
}

/** Names that people choose must not steer a terminal. */
function escaped(json: string): string {
  return json.replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (mark) => {
    return `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
