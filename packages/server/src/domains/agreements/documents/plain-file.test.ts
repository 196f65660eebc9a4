import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { decoded } from './plain-file.ts';

test('Base64 is decoded however it is cut, and padding stands at its end alone', async () => {
  const read = async (...pieces: string[]) => {
    const bytes: Buffer[] = [];
    for await (const part of decoded(Readable.from(pieces.map((piece) => Buffer.from(piece)))))
      bytes.push(part);
    return Buffer.concat(bytes).toString();
  };
  const text = Buffer.from('a contract').toString('base64');
  assert.equal(await read(text), 'a contract');
  assert.equal(await read(...text), 'a contract');
  for (const wrong of [['QQ==', 'QQ=='], ['QQ==QQ=='], ['QQ=', '=QUJD'], ['QQ'], ['Q!==']])
    await assert.rejects(read(...wrong), { key: 'documents.invalid_payload' }, wrong.join('|'));
});
