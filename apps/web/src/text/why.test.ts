import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyText } from './why.ts';

test('why something is asked is said in the language of the page, and as the company wrote it', () => {
  assert.equal(whyText('For $& and {reason}', 'en'), 'Why: For $& and {reason}');
  assert.equal(whyText('Für die Post', 'de'), 'Warum: Für die Post');
});
