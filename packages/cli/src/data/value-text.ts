import { BinaryHandle, SealedValue, type Value } from '@symbolon/sdk';
import type { Paint } from '../terminal/paint.ts';
import { printable, shorten } from '../terminal/text.ts';

/** A value as JSON: the plaintext in its shape, the wrapper of a sealed one, the address of a file. */
export function valueJson(value: Value): object {
  const { value: content, ...facts } = value;
  if (content instanceof SealedValue) return { sealed: content.wrapper, ...facts };
  if (content instanceof BinaryHandle) {
    return { value_url: content.path, expired_at: content.expiredAt, ...facts };
  }
  return { value: content, ...facts };
}

/** A value on one line for a terminal. */
export function valueLine(value: Value, paint: Paint): string {
  const marks = [
    ...(value.live || value.value === null ? [] : ['once']),
    ...(value.verified ? [paint.good('✓ verified')] : []),
  ];
  return [contentText(value, paint), ...marks].join('  ');
}

function contentText({ value, unreadable }: Value, paint: Paint): string {
  if (unreadable) return paint.bad('the key does not open it');
  if (value === null) return paint.dim('–');
  if (value instanceof SealedValue) return paint.sealed(shorten(printable(value.wrapper), 48));
  if (value instanceof BinaryHandle) return paint.dim(`file ${printable(value.path ?? '(expired)')}`);
  return printable(plainText(value));
}

/** What a plaintext looks like on one line: the members of a composite one after another. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  // A date says itself; everything else is members or items.
  const prototype = Object.getPrototypeOf(value);
  if (Array.isArray(value) || prototype === null || prototype === Object.prototype) {
    const parts = Object.values(value).filter((part) => part !== '');
    return parts.every((part) => typeof part === 'string') ? parts.join(', ') : JSON.stringify(value);
  }
  return String(value);
}
