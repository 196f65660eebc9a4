import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Loaded } from '../load.ts';
import { Unclear } from '../raw/tokens.ts';
import { checkAllEntries } from './raw-objects.ts';

test('objects that stand in one another are not read each to the end', () => {
  const head = (number: number) => `${number} 0 obj% `;
  const heads = Array.from({ length: 200_000 }, (_, index) => head(index + 1));
  const text = heads.join('');
  let offset = 0;
  const places = new Map(
    heads.map((each, index) => {
      const place = { kind: 'at', offset, generation: 0 } as const;
      offset += each.length;
      return [index + 1, place];
    }),
  );
  const loaded = { bytes: Buffer.from(text, 'latin1'), text } as unknown as Loaded;
  assert.throws(() => checkAllEntries(loaded, places), Unclear);
});
