import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** What people type or choose in. Boxes to tick, and files, have nothing that a browser could fill in. */
const INPUTS =
  /<(TextInput|PasswordInput|Textarea|NumberInput|Select|NativeSelect|MultiSelect|TagsInput|Autocomplete|PinInput|DateInput|input|select|textarea)\b/g;

/** Tokens of the HTML standard that these pages use, and what each must have besides. */
const TOKENS: Readonly<Record<string, RegExp | undefined>> = {
  on: undefined,
  off: undefined,
  name: undefined,
  'given-name': undefined,
  'family-name': undefined,
  username: undefined,
  'username webauthn': /type="email"/,
  'current-password': undefined,
  'new-password': undefined,
  'one-time-code': undefined,
  language: undefined,
  organization: undefined,
  email: /type="email"/,
};
/** The steps of a flow have names, conditions and texts, for which the standard has no token. */
const WITHOUT_TOKENS = /pages\/portal\/flow\//;

test('every input says what a browser may fill in, by a name of the HTML standard', () => {
  const files = globSync('**/*.tsx', { cwd: import.meta.dirname }).filter(
    (file) => !WITHOUT_TOKENS.test(file),
  );
  const found = files.flatMap((file) => {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    return [...source.matchAll(INPUTS)].map(({ index }) => ({ file, tag: tagAt(source, index) }));
  });
  assert.ok(found.length > 25, `${found.length} inputs were found`);
  for (const { file, tag } of found) {
    const [, said, computed] = /\bautoComplete=(?:"([^"]*)"|\{([^}]*)\})/.exec(tag) ?? [];
    const isSpread = /\{\.\.\.keyboard\}/.test(tag);
    // The library says "off" then.
    if (/oneTimeCode=\{false\}/.test(tag)) continue;
    assert.ok(said ?? computed ?? isSpread, `${file}: an input without autoComplete: ${tag}`);
    if (isSpread || computed === 'keyboard.autoComplete') continue;
    const tokens =
      said === undefined ? Array.from(computed?.matchAll(/'([^']+)'/g) ?? [], ([, each]) => each) : [said];
    for (const token of tokens) {
      assert.ok(token !== undefined);
      assert.ok(token in TOKENS, `${file}: "${token}" is no token that these pages know`);
      const needed = TOKENS[token];
      if (needed) assert.match(tag, needed, file);
    }
  }
});

test('codes of digits, addresses and numbers open the keyboard that they are typed with', () => {
  const files = globSync('{pages,parts}/**/*.tsx', { cwd: import.meta.dirname });
  for (const file of files) {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    for (const { index } of source.matchAll(/<TextInput\b/g)) {
      const tag = tagAt(source, index);
      if (!tag.includes('one-time-code')) continue;
      // A code of an authenticator app may be a recovery code, which has letters.
      const mayHaveLetters = /t\('proof\.totp'\)/.test(tag);
      assert.ok(mayHaveLetters || /inputMode="numeric"/.test(tag), `${file}: ${tag}`);
    }
  }
});

/** The text of a tag from its name to its end: a `>` in braces or in a string ends nothing. */
function tagAt(source: string, start: number): string {
  let depth = 0;
  let quote: string | undefined;
  for (let at = start; at < source.length; at++) {
    const letter = source.charAt(at);
    if (quote !== undefined) {
      if (letter === quote) quote = undefined;
    } else if (depth === 0 && letter === '"') quote = letter;
    else if (depth > 0 && (letter === "'" || letter === '`')) quote = letter;
    else if (letter === '{') depth++;
    else if (letter === '}') depth--;
    else if (letter === '>' && depth === 0) return source.slice(start, at + 1);
  }
  return source.slice(start);
}
