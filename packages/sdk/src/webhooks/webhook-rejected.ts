import { SymbolonError } from '../http/errors.ts';

/**
 * A delivery is refused. Branch on `code`, which is stable; answer with `status`. Text and members contain no secret and
 * no part of the body.
 */
export class WebhookRejected extends SymbolonError {
  readonly code: WebhookRejectedCode;

  constructor(code: WebhookRejectedCode) {
    const { status, text } = REJECTIONS[code];
    super({ errorKey: `sdk.webhook_${code}`, message: text, status });
    this.code = code;
  }
}

/** Every code a {@link WebhookRejected} can carry. */
export type WebhookRejectedCode = keyof typeof REJECTIONS;

/** The status to answer for a code. */
export function statusOf(code: WebhookRejectedCode): 400 | 401 | 413 {
  return REJECTIONS[code].status;
}

const REJECTIONS = {
  webhook_id_missing: { status: 401, text: 'The header that names the webhook is missing.' },
  webhook_unknown: { status: 401, text: 'No webhook with this id is configured.' },
  signature_missing: { status: 401, text: 'The signature header is missing.' },
  signature_wrong: { status: 401, text: 'The signature does not match the bytes of the body.' },
  credentials_missing: { status: 401, text: 'The header with the credentials is missing.' },
  credentials_wrong: { status: 401, text: 'The credentials are not those of the webhook.' },
  too_large: { status: 413, text: 'The body is larger than this receiver takes.' },
  body_malformed: { status: 400, text: 'The body is not an event in JSON or XML.' },
  envelope_unreadable: { status: 400, text: 'The envelope is not opened by the configured account key.' },
} as const;
