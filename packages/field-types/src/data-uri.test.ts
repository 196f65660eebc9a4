import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseDataUri, startsWith } from './data-uri.ts';

/** Any UTF-16 unit, lone surrogates among them. */
const utf16 = fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit));

describe('a data URI', () => {
  it('a data URI of any bytes is split into media type and base64', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const base64 = Buffer.from(bytes).toString('base64');
        assert.deepEqual(parseDataUri(`data:Image/PNG;base64,${base64}`), { mimeType: 'image/png', base64 });
      }),
    );
  });

  it('a data URI may have parameters', () => {
    assert.equal(parseDataUri('data:text/plain;charset=utf-8;base64,QQ==')?.mimeType, 'text/plain');
  });

  const wrong = [
    '',
    'data:',
    'data:,',
    'data:image/png,AAAA',
    'data:;base64,AAAA',
    'data:image;base64,AAAA',
    'image/png;base64,AAAA',
    ' data:image/png;base64,AAAA',
  ];
  const wrongBase64 = [
    'A',
    'AA',
    'AAA',
    'AA=',
    'AAA==',
    '====',
    'A===',
    'AA==AAAA',
    'AAAA\n',
    'AA-_',
    'AB==',
    'AAB=',
    'AAAA AAA',
  ];
  for (const text of [...wrong, ...wrongBase64.map((base64) => `data:image/png;base64,${base64}`)]) {
    it(`${JSON.stringify(text)} is no data URI`, () => assert.equal(parseDataUri(text), undefined));
  }

  it('parsing any text as a data URI does not throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: utf16 }), (text) => void parseDataUri(`data:a/b;base64,${text}`)),
    );
  });

  it('a data URI may hold 15 MiB', () => {
    assert.ok(parseDataUri(`data:application/pdf;base64,${'A'.repeat(20 * 1024 * 1024)}`));
  });

  it('the first bytes of a data URI can be compared with a signature', () => {
    const file = (text: string) => parseDataUri(`data:a/b;base64,${btoa(text)}`) ?? assert.fail();
    assert.ok(startsWith(file('%PDF-'), '%PDF-'));
    assert.ok(startsWith(file('%PDF-1.7 and on'), '%PDF-'));
    assert.ok(!startsWith(file('%PDF'), '%PDF-'));
    assert.ok(!startsWith(file(''), '%PDF-'));
    assert.ok(!startsWith(file(' %PDF-'), '%PDF-'));
  });
});
