import { PlatformError } from '../core/errors.ts';
import { hasNul, NUL_REFUSED } from '../core/nul.ts';
import { sentParameters } from '../core/sent-parameters.ts';
import type { App } from './app.ts';

/** The largest form that any route takes. */
export const FORM_BYTES = 16 * 1024;
const FORM = 'application/x-www-form-urlencoded';

/** Lets the routes of a scope take forms, and nothing else; everything else is refused in the shape of their errors. */
export function takeForms(scope: App): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    FORM,
    { parseAs: 'string', bodyLimit: FORM_BYTES },
    (_request: unknown, body: string | Buffer, done) => {
      const text = body.toString();
      // A form writes it in one of these two ways.
      const isRefused = hasNul(text) || text.includes('%00');
      done(
        isRefused ? new PlatformError('invalid_request', { text: NUL_REFUSED }) : null,
        sentParameters(text),
      );
    },
  );
  scope.addContentTypeParser('*', async () => {
    throw new PlatformError('invalid_request', {
      text: `Send the parameters as ${FORM}.`,
    });
  });
}

/** The form of a call; an empty one when it had none. */
export function formOf({ body }: { body: unknown }): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/** Whether the body of a call is a form. */
export function isForm({ headers }: { headers: { 'content-type'?: string | undefined } }): boolean {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() === FORM;
}
