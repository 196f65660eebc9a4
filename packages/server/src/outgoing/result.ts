/** Why there is no answer. */
export type FailureReason =
  /** The address, or one that its host resolves to, is none the platform calls. */
  | 'address_refused'
  | 'dns'
  /** No TCP connection. */
  | 'connect'
  /** No TLS, or a certificate that isn't the host's. */
  | 'tls'
  /** Not answered to the last byte in time. */
  | 'timeout'
  /** The connection ended before the answer did. The other side may have acted on the request all the same. */
  | 'reset'
  /** More header or body than is read. */
  | 'too_large'
  /** What came isn't HTTP, or what was to be sent can't be. */
  | 'invalid'
  /** Called off by the caller, or not begun because the sender was stopped. */
  | 'aborted';

export interface Answered {
  kind: 'answered';
  status: number;
  durationMs: number;
  body: Uint8Array;
}

export interface Failed {
  kind: 'failed';
  reason: FailureReason;
  /** For logs and people; never holds what was sent or received. */
  detail: string;
  durationMs: number;
}

export type OutgoingResult = Answered | Failed;

/** Travels as an error through what only knows errors, and still carries its reason. */
export class OutgoingFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, detail: string) {
    super(detail);
    this.name = 'OutgoingFailure';
    this.reason = reason;
  }
}

/** The failure behind an error of undici or of a socket that has already connected. */
export function failureFrom(error: unknown): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  switch (code) {
    case 'UND_ERR_HEADERS_OVERFLOW':
      return new OutgoingFailure('too_large', 'the header of the answer is too large');
    case 'UND_ERR_SOCKET':
      // The same code for an end of the connection and for what undici refuses to read ('bad response', 'bad upgrade').
      return new OutgoingFailure(message.startsWith('bad ') ? 'invalid' : 'reset', message);
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

/** The code of an error when it has one, else its message. */
export function errorText(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.message : String(error));
}

function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
