import { type ErrorKey, errorCatalogue } from '@symbolon/protocol';

/** The member of a refusal that clears with time: in how many whole seconds, at least one (wire 7). */
export const clearsIn = (ms: number): { readonly retry_after: number } => ({
  retry_after: Math.max(1, Math.ceil(ms / 1000)),
});

/**
 * An error with a place in the catalogue: status and text come from there.
 * `details` become top-level members of the answer; `headers` are set on it. `text` replaces the catalogue's text where a
 * reason must be sent (the key stays), `status` where one key has more than one (wire 7).
 */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly key: ErrorKey;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    key: ErrorKey,
    options: {
      details?: Readonly<Record<string, unknown>>;
      headers?: Readonly<Record<string, string>>;
      text?: string;
      status?: number;
      cause?: unknown;
    } = {},
  ) {
    const [status, text] = errorCatalogue[key];
    super(options.text ?? text, options.cause === undefined ? undefined : { cause: options.cause });
    this.key = key;
    this.status = options.status ?? status;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}
