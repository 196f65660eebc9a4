import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begun, type History, type Step, step } from './history.ts';

const all = (...steps: Step<string>[]): History<string> => steps.reduce(step, begun('a'));
const change = (to: string, subject?: string): Step<string> => ({ act: 'change', to, subject });
const undo: Step<string> = { act: 'undo' };
const redo: Step<string> = { act: 'redo' };

test('changes are taken back and made again, one after the other', () => {
  assert.equal(all(change('b'), change('c'), undo).present, 'b');
  assert.equal(all(change('b'), change('c'), undo, undo, undo).present, 'a');
  assert.equal(all(change('b'), change('c'), undo, undo, redo).present, 'b');
  assert.equal(all(change('b'), undo, change('c'), redo).present, 'c', 'what was taken back is gone');
  assert.deepEqual(all(change('b'), { act: 'reset', to: 'z' }, undo).present, 'z');
});

test('the letters of one text are taken back together, those of another by themselves', () => {
  assert.equal(all(change('b', 'title'), change('bc', 'title'), undo).present, 'a');
  assert.equal(all(change('b', 'title'), change('bc', 'label'), undo).present, 'b');
  assert.equal(all(change('b', 'title'), undo, redo, change('bc', 'title'), undo).present, 'b');
  assert.equal(all(change('b'), change('c'), undo).present, 'b', 'without a subject each stands alone');
});

test('a long session keeps the last 200 changes', () => {
  const many = Array.from({ length: 300 }, (_, index) => change(String(index)));
  assert.equal(all(...many).past.length, 200);
  assert.equal(all(...many, undo).present, '298');
});
