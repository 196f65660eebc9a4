/** What is known about a failure. */
export type ErrorInit = {
  /** The stable `error_key` of the platform, or one of this library's own, which begin with `sdk.`. */
  errorKey: string;
  message: string;
  /** HTTP status; absent when there was no response. */
  status?: number | undefined;
  /** Quote it when you report a problem to the operator. */
  requestId?: string | undefined;
  /** Further members of the error's body, such as `missing`, `issues`, `reason` or `retry_after` (seconds); `docs` is the address of its key in the platform's catalogue. */
  details?: Readonly<Record<string, unknown>> | undefined;
  /** The waiting time that the platform asked for, in the header or else in the body, in milliseconds. */
  retryAfterMs?: number | undefined;
  cause?: unknown;
};

/** Every failure of this library. Branch on `errorKey` or the class; the text is for people. */
export class SymbolonError extends Error {
  readonly errorKey: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterMs: number | undefined;

  constructor(init: ErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = new.target.name;
    this.errorKey = init.errorKey;
    this.status = init.status;
    this.requestId = init.requestId;
    this.details = init.details ?? {};
    this.retryAfterMs = init.retryAfterMs;
  }
}

/** A setting is missing or cannot be used; `details.missing` names what is absent. */
export class ConfigurationError extends SymbolonError {}
/** There was no usable response: refused, reset, timed out, or not from the platform. */
export class TransportError extends SymbolonError {}
/** 400, 405, 413, 415, 422 and the like: the request itself is refused. */
export class InvalidRequestError extends SymbolonError {}
/** 401: wrong or expired credentials. */
export class AuthenticationError extends SymbolonError {}
/** 403: the credential gives no access to this address. */
export class ForbiddenError extends SymbolonError {}
/** 404. */
export class NotFoundError extends SymbolonError {}
/** 409: the current state does not allow the call. */
export class ConflictError extends SymbolonError {}
/** 410: it no longer exists. */
export class GoneError extends SymbolonError {}
/** 421, after the one retry at the base URL it named (wire 5.2). */
export class RegionError extends SymbolonError {}
/** 429, after all repeats; also `twofa.pending_cap`, which is not repeated. */
export class RateLimitError extends SymbolonError {}
/** 503: saving paused, region out of order, rate limiter unreachable. */
export class UnavailableError extends SymbolonError {}
/** Any other 5xx. */
export class ServerError extends SymbolonError {}
/** A value or key could not be opened. Never holds key material or plaintext. */
export class DecryptionError extends SymbolonError {}
/** A key is not the one that was confirmed, so nothing was sealed to it. `details` has its `fingerprint` and `words`. */
export class UnconfirmedKeyError extends SymbolonError {}
/** A value is not valid for its type; `details` has `code` and `path`, never the value. */
export class ValueError extends SymbolonError {}

/** The error class of an HTTP status. */
export function errorOfStatus(init: ErrorInit & { status: number }): SymbolonError {
  const Class = CLASSES[init.status];
  if (Class) return new Class(init);
  if (init.status < 400) return new TransportError(init);
  return init.status >= 500 ? new ServerError(init) : new InvalidRequestError(init);
}

const CLASSES: Partial<Record<number, new (init: ErrorInit) => SymbolonError>> = {
  401: AuthenticationError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  421: RegionError,
  429: RateLimitError,
  503: UnavailableError,
};
