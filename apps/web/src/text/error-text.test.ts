import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from './en.ts';
import { textOfError } from './error-text.ts';

const texts: Readonly<Record<string, string>> = en;
const textOf = (errorKey: string, reason?: string) => textOfError({ errorKey, reason }, (key) => texts[key]);

test('an error has the text of its reason, else its own, and none where the catalogue knows it not', () => {
  assert.equal(textOf('sdk.password_weak', 'too_short'), en['error.sdk.password_weak.too_short']);
  assert.equal(textOf('auth.throttled', 'unheard_of'), en['error.auth.throttled']);
  assert.equal(textOf('request.invalid'), undefined);
});
