import { printable } from './terminal/text.ts';

/** A failure whose text is meant for the person at the terminal: one line, with what to do. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** 1 failed, 2 called or configured wrongly. */
  readonly exitCode: 1 | 2;

  constructor(message: string, options: { exitCode?: 1 | 2; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
  }
}

/** That nothing answers at an address, why, and what to do. */
export function unreachable(address: string, cause: unknown): Problem {
  return new Problem(`${noAnswer(address, cause)}. ${reachAdvice(cause)}`, { cause });
}

/** That nothing answers at an address, and why. */
export function noAnswer(address: string, cause: unknown): string {
  return `${address} does not answer (${reasonOf(cause)})`;
}

/** What to do about a call that got no answer. */
export function reachAdvice(cause: unknown): string {
  if (UNKNOWN_AUTHORITY.has(reasonOf(cause))) return CERTIFICATE_ADVICE;
  const { HTTPS_PROXY, https_proxy = HTTPS_PROXY, NODE_USE_ENV_PROXY } = process.env;
  return https_proxy && !NODE_USE_ENV_PROXY ? `${REACH_ADVICE} ${PROXY_ADVICE}` : REACH_ADVICE;
}

/** The code of an error or of what it came from; a text where there is none. */
function reasonOf(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  // That of a time that is over is a number of the DOM.
  if (typeof code === 'string') return code;
  return cause instanceof Error ? reasonOf(cause) : message;
}

const PROXY_ADVICE = 'The proxy that HTTPS_PROXY names is used only when NODE_USE_ENV_PROXY=1 is set.';
const REACH_ADVICE = 'Check the address, and that the platform runs there.';
const CERTIFICATE_ADVICE =
  'This machine does not know who signed its certificate. Name the file of that authority in NODE_EXTRA_CA_CERTS.';
/** The codes by which Node says that a chain of certificates ends at no root that it trusts. */
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The person pressed Ctrl-C: nothing to say about it. */
export class Interrupted extends Error {}

/**
 * One line for any failure. Errors of other packages are recognised by their stable members, not by their class, so that a
 * command need not load the package to explain a failure of something else.
 *
 * @param options.advise false where the advice is given in another place, as by the doctor
 */
export function explain(error: unknown, { advise = true } = {}): { text: string; exitCode: 1 | 2 } {
  if (error instanceof Problem) return { text: printable(error.message), exitCode: error.exitCode };
  if (!(error instanceof Error))
    return { text: `Unexpected failure: ${printable(String(error))}`, exitCode: 1 };
  const { errorKey, code, requestId, path } = error as Error & {
    errorKey?: unknown;
    code?: unknown;
    requestId?: unknown;
    path?: unknown;
  };
  const message = printable(error.message);
  if (error.name === 'OutputFailed') return { text: `${message}.`, exitCode: 1 };
  if (error.name === 'ConfigError') return { text: message, exitCode: 2 };
  if (typeof errorKey === 'string') {
    const exitCode = errorKey === 'sdk.configuration' || errorKey === 'sdk.private_key' ? 2 : 1;
    const wrong = `${issuesOf(error)}${clearsIn(error)}`;
    const advice = advise ? adviceFor(errorKey, error) : '';
    const request = typeof requestId === 'string' ? `, request ${printable(requestId)}` : '';
    return {
      text:
        advice === undefined
          ? `${message}${wrong} (${printable(errorKey)}${request})`
          : `${sentence(message)} ${advice}`.trim(),
      exitCode,
    };
  }
  if (error.name === 'CryptoError') return { text: message, exitCode: 1 };
  if (typeof code === 'string' && typeof path === 'string') {
    return { text: `${printable(path)}: ${FILE_CODES[code] ?? code}`, exitCode: 1 };
  }
  const debug = process.env.SYMBOLON_DEBUG === '1' ? '' : ' SYMBOLON_DEBUG=1 shows where it came from.';
  return { text: `Unexpected failure: ${message}.${debug}`.replace('..', '.'), exitCode: 1 };
}

const NO_ANSWER = new Set(['sdk.transport', 'sdk.timeout']);
const adviceFor = (errorKey: string, error: Error) =>
  NO_ANSWER.has(errorKey) ? reachAdvice(error) : ADVICE[errorKey];

/** When a refusal clears that does so with time, as the platform says it. */
function clearsIn(error: Error): string {
  const { retry_after: seconds } = (error as { details?: { retry_after?: unknown } }).details ?? {};
  return typeof seconds === 'number' ? ` Try again in ${seconds} s.` : '';
}

/** What is wrong with a request, and where, as the platform says it. */
function issuesOf(error: Error): string {
  const { issues } = (error as { details?: { issues?: unknown } }).details ?? {};
  if (!Array.isArray(issues)) return '';
  const places = issues.slice(0, ISSUES_SHOWN).map(({ path, message }) => `${path || '/'} ${message}`);
  return ` ${printable(places.join('; '))}`;
}

const ISSUES_SHOWN = 5;

/** Ended by a stop, so that another sentence can follow. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

const CLIENT_ADVICE = 'Check client_id and client_secret; the portal mints a new secret.';
const ADVICE: Readonly<Record<string, string>> = {
  invalid_client: CLIENT_ADVICE,
  'auth.invalid':
    'Check SYMBOLON_TOKEN where it is set, else client_id and client_secret; the portal mints a new secret.',
  'auth.client_endpoint_forbidden': 'The client was not given this address.',
  'services.has_connections': 'In this command that is --confirm.',
  'services.config_conflict':
    'It was published meanwhile, and nothing of that was overwritten. Run the command again.',
  'sdk.configuration': 'symbolon doctor says what a configuration needs.',
  'sdk.private_key': 'Check private_key_file and passphrase.',
  'sdk.recovery_key_unconfirmed': 'symbolon account recovery-key shows it.',
  'sdk.recovery_key_changed': 'symbolon account recovery-key shows it.',
  // Its message says which row.
  'sdk.no_sample': '',
  'sdk.buffer_locked': 'Stop the other pump, or give this one its own --buffer.',
};

const FILE_CODES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder.',
  EACCES: 'permission denied.',
  EPERM: 'permission denied.',
  EEXIST: 'is there already. Move it away or choose another place.',
  EISDIR: 'is a folder, not a file.',
  ENOTDIR: 'a part of the path is not a folder.',
  ENOSPC: 'the disk is full.',
  EROFS: 'the file system is read-only.',
};
