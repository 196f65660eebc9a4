import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** Forms that keep nothing of what is typed, and why. */
const KEEP_NOTHING: Readonly<Record<string, string>> = {
  'pages/account/deletion-section.tsx': 'the name of what is destroyed',
  'pages/connect/connect-page.tsx': 'a code, which then stands in the address',
  'pages/fields/verify-form.tsx': 'a code that was mailed',
  'pages/operator/mail/mail-page.tsx': 'where one mail goes',
  'pages/operator/people/people-page.tsx': 'a code',
  'pages/portal/apps/app-sheet.tsx': 'settings, as they hold until they are saved',
  'pages/portal/flows-section.tsx': 'the name of what is destroyed',
  'pages/portal/keys/end-account.tsx': 'the name of what is destroyed',
  'pages/portal/keys/region-move.tsx': 'the name of what is moved',
  'pages/portal/webhooks/webhook-form.tsx': 'credentials; its sheets keep the rest',
  'parts/answers/plugin-input.tsx': 'what is searched for; the answer is kept with its step',
  'parts/changed-key.tsx': 'words that are compared',
  'parts/mailed-code-form.tsx': 'a code that was mailed, and a password',
  'parts/messages/composer.tsx': 'its page keeps a draft',
  'parts/operator/act-sheet.tsx': 'the name of what is destroyed',
  'parts/password-sign-in.tsx': 'a password, and an address that the browser fills in',
  'parts/recovery-check.tsx': 'a recovery code',
  'parts/second-of-proof.tsx': 'a code of the second factor',
  'parts/sign-forms.tsx': 'a name that the account says',
  'parts/sign-in-means/passkeys-section.tsx': 'a password, and what a passkey is called',
  'parts/sign-in-means/totp-section.tsx': 'a code of the second factor',
};

test('every form keeps what is typed, or says here why it does not', () => {
  const forms = globSync('{pages,parts}/**/*.tsx', { cwd: import.meta.dirname })
    .map((file) => ({
      file: file.replaceAll('\\', '/'),
      source: readFileSync(join(import.meta.dirname, file), 'utf8'),
    }))
    .filter(({ source }) => /<(?:TextInput|Textarea|EmailField)\b/.test(source))
    // An input without a form or a state of its own belongs to one that has them.
    .filter(({ source }) => /<form\b|\buseState\(''/.test(source));
  const keeping = forms.filter(({ source }) => /\buseKept\w*[(<]/.test(source));
  assert.ok(keeping.length > 10);
  assert.deepEqual(
    forms
      .filter((form) => !keeping.includes(form))
      .map(({ file }) => file)
      .sort(),
    Object.keys(KEEP_NOTHING),
  );
});
