/** Why there is no answer. */
export type FailureReason =
  /** The platform does not call this URL, or an address that its host resolves to. */
  | 'address_refused'
  | 'dns'
  /** No TCP connection. */
  | 'connect'
  /** No TLS, or a certificate that is not valid for the host. */
  | 'tls'
  /** The answer was not complete in time. */
  | 'timeout'
  /** The connection ended before the answer. The server may have processed the request. */
  | 'reset'
  /** The header or body is larger than the limit; a body only where long ones are not cut. */
  | 'too_large'
  /** The answer is not HTTP, or the request cannot be sent as HTTP. */
  | 'invalid'
  /** Aborted by the caller, or not begun because the sender has stopped. */
  | 'aborted';

export interface Answered {
  kind: 'answered';
  status: number;
  durationMs: number;
  body: Uint8Array;
  /** The header of that name, when there is one. */
  retryAfter?: string;
  /** The body went on, and the rest was not read. */
  isCut?: true;
}

export interface Failed {
  kind: 'failed';
  reason: FailureReason;
  /** For logs and people; contains nothing that was sent or received. */
  detail: string;
  durationMs: number;
}

export type OutgoingResult = Answered | Failed;

/** A failure with its reason, as an error that undici passes on. */
export class OutgoingFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, detail: string) {
    super(detail);
    this.name = 'OutgoingFailure';
    this.reason = reason;
  }
}

/** The failure for an error of undici or of a connected socket. */
export function failureFrom(error: unknown): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  switch (code) {
    case 'UND_ERR_HEADERS_OVERFLOW':
      return new OutgoingFailure('too_large', 'the header of the answer is too large');
    case 'UND_ERR_SOCKET':
      // undici uses this code for a closed connection and for answers it refuses ('bad response', 'bad upgrade').
      return new OutgoingFailure(message.startsWith('bad ') ? 'invalid' : 'reset', message);
    case 'ERR_ASSERTION':
      // How undici answers to a 101 that was not asked for.
      return new OutgoingFailure('invalid', 'bad upgrade');
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return new OutgoingFailure('reset', code);
    default:
      return new OutgoingFailure('invalid', message);
  }
}

/** The code of an error, or its message when it has none. */
export function errorText(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.message : String(error));
}

function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
