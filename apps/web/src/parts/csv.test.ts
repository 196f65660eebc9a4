import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf, csvText } from './csv.ts';

test('cells with commas, quotes and line ends are quoted, and none is read as a formula', () => {
  assert.equal(
    csvText([
      ['a', 'b, c'],
      ['say "x"', 'two\nlines'],
    ]),
    'a,"b, c"\r\n"say ""x""","two\nlines"\r\n',
  );
  assert.equal(csvText([['=1+1', '-2', '@x', '+3', 'a=b']]), "'=1+1,'-2,'@x,'+3,a=b\r\n");
});

test('the file says that it is UTF-8', async () => {
  const bytes = new Uint8Array(await csvOf([['ü']]).arrayBuffer());
  assert.deepEqual([...bytes.slice(0, 3)], [0xef, 0xbb, 0xbf]);
});
