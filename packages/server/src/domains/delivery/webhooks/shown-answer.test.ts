import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { shownAnswer } from './shown-answer.ts';

const shown = (text: string, ...secrets: string[]) => shownAnswer(Buffer.from(text), secrets);

test('what an endpoint answers is shown as it is', () => {
  const text = '<h1>upstream not ready</h1>\r\n\tKöln, id 7f9c24e8-3b12-4fef-91e0-9d0a0c1b2d3e';
  assert.equal(shown(text), text.replace('\r\n', '\n'));
  assert.equal(shown(''), '');
});

test('a sealed value that comes back is taken out, however it is quoted', () => {
  const sealed = JSON.stringify({ _enc: 1, k: 'a2V5', iv: 'aXY=', d: 'dmFsdWU=' });
  for (const quoted of [
    sealed,
    JSON.stringify(JSON.stringify(sealed)),
    sealed.replaceAll('"', '&quot;'),
    sealed.replace('}', ''),
  ]) {
    const answer = shown(`you sent ${quoted}`);
    assert.match(answer, /^you sent /);
    assert.doesNotMatch(answer, /a2V5|dmFsdWU/);
  }
  assert.equal(shown(`part ${'Ab0+/_-='.repeat(8)}.`), 'part ••••.');
});

test('credentials of the webhook are taken out, also where what is shown ends', () => {
  assert.equal(shown('got Bearer s3cret-token and s3cret-token', 's3cret-token'), 'got Bearer •••• and ••••');
  const before = 'word '.repeat(204);
  assert.equal(shown(`${before}s3cret-token`, 's3cret-token'), `${before}••••`);
});

test('1,024 characters of an answer are shown, and none that acts on a screen', () => {
  assert.equal(shown('all is well. '.repeat(1000)).length, 1024);
  assert.equal(shown('a\u0000b\u001b[31mc\u202ed'), 'a\ufffdb\ufffd[31mc\ufffdd');
  assert.equal(shownAnswer(Buffer.from([0x6f, 0x6b, 0xff]), []), 'ok\ufffd');
  assert.ok(shown(`${'x '.repeat(511)}x😀`).isWellFormed());
  proves('limit:webhookAnswerShown');
});
