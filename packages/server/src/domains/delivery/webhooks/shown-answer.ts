import { limits } from '@symbolon/protocol';

/** Bytes of an answer that are looked at: a secret that begins in what is shown ends here. */
const SEEN = 20_480;
const HIDDEN = '••••';
/** A sealed value, however its quotation marks are written; the end may be missing. */
const SEALED = /\{[^{}]*_enc[^{}]*\}?/g;
/** What no person reads: a part of a sealed value, a token, a signature. */
const LONG_CODE = /[\w+/=-]{64,}/g;
/** What would act on a screen instead of being seen: control characters but tab and line feed, and explicit directions. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ACTING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The beginning of an answer as text that can be shown. Servers that answer with what they were sent would have values, and the
 * credentials of the webhook, kept in the clear: these are taken out first.
 * @param secrets of the webhook, as they may stand in what it sends
 */
export function shownAnswer(body: Uint8Array, secrets: readonly string[]): string {
  if (body.length === 0) return '';
  let text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SEEN)).toString('utf8');
  for (const secret of secrets) if (text.includes(secret)) text = text.replaceAll(secret, HIDDEN);
  text = text.replace(SEALED, HIDDEN).replace(LONG_CODE, HIDDEN).replaceAll('\r\n', '\n');
  return text.slice(0, limits.webhookAnswerShown).toWellFormed().replace(ACTING, '\ufffd');
}
