import { isUtf8 } from 'node:buffer';
import { limits } from '@symbolon/protocol';
import { PlatformError } from '../core/errors.ts';

/**
 * Parses a JSON body strictly: UTF-8, bounded depth, no `__proto__` member, no NUL character. No body at all and `null`
 * are the empty object.
 * @throws {PlatformError} request.malformed
 */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw malformed('The body is not UTF-8.');
  const text = body.toString('utf8');
  if (deeperThan(text, limits.jsonBodyDepth)) {
    throw malformed(`The body is nested deeper than ${limits.jsonBodyDepth} levels.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text, text.includes('__proto__') || text.includes('\\u') ? refuseHostile : undefined);
  } catch (error) {
    if (error instanceof PlatformError) throw error;
    throw malformed('The body is not JSON.');
  }
  return value === null ? undefined : value;
}

function malformed(text: string): PlatformError {
  return new PlatformError('request.malformed', { text });
}

/** Looks at every member when the text shows a reason to: JSON.parse makes `__proto__` an own member, others may not. */
function refuseHostile(this: unknown, key: string, value: unknown): unknown {
  if (key === '__proto__') throw malformed('A member must not be named __proto__.');
  if (key.includes('\0') || (typeof value === 'string' && value.includes('\0'))) {
    throw malformed('Text must not contain the character U+0000.');
  }
  if (typeof value === 'string' && !value.isWellFormed())
    throw malformed('Text must be well-formed Unicode.');
  return value;
}

/** Whether brackets outside strings nest deeper than `most`; one pass, no recursion. */
function deeperThan(text: string, most: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > most) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Where the string that begins at a quote ends; the end of the text when it does not. An upload is one long string. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
