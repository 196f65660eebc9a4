import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildDataUri, parseDataUri } from './data-uri.ts';
import { buildFileEnvelope, buildPagesEnvelope, buildPhotoEnvelope } from './file-envelope-build.ts';
import { type FileEnvelope, parseFileEnvelope } from './file-envelope-parse.ts';

const bytes = Uint8Array.of(1, 2, 3, 4);
const png = { bytes, mimeType: 'image/png' };
const uri = 'data:image/png;base64,AQIDBA==';
const page = { label: 'front', file: uri, original_name: 'a.png', mime_type: 'image/png', size: 4 };

test('a photo envelope reads as it was built, with and without a thumbnail', () => {
  assert.equal(buildPhotoEnvelope({ full: png }), JSON.stringify({ full: uri }));
  const photo = parse(
    buildPhotoEnvelope({ full: png, thumb: { ...png, bytes: bytes.subarray(1) } }),
    'photo',
  );
  assert.deepEqual(photo.full.bytes(), bytes);
  assert.equal(photo.full.mimeType, 'image/png');
  assert.equal(photo.thumb?.size, 3);
});

test('a file envelope reads as it was built, with its metadata', () => {
  const text = buildFileEnvelope({
    file: { ...png, originalName: 'ü.png' },
    name: 'Contract',
    entries: { document_number: 'X1' },
  });
  const members = { file: uri, original_name: 'ü.png', mime_type: 'image/png', size: 4 };
  assert.deepEqual(JSON.parse(text), { ...members, name: 'Contract', document_number: 'X1' });
  const { file, name, entries } = parse(text, 'file');
  assert.deepEqual(file.bytes(), bytes);
  assert.deepEqual([file.originalName, file.size, name], ['ü.png', 4, 'Contract']);
  assert.deepEqual({ ...entries }, { document_number: 'X1' });
});

test('a file envelope without metadata reads as it was built, and null members count as absent', () => {
  for (const text of [
    JSON.stringify({ file: uri }),
    JSON.stringify({ file: uri, original_name: null, size: null, expiry_date: null }),
  ]) {
    const { file, entries, ...rest } = parse(text, 'file');
    assert.deepEqual(
      [file.mimeType, file.size, Object.keys(entries), rest],
      ['image/png', 4, [], { kind: 'file' }],
    );
    assert.equal('originalName' in file, false);
  }
});

test('the envelope of an identity document reads as it was built, page by page', () => {
  const text = buildPagesEnvelope({
    pages: [
      { ...png, label: 'front', originalName: 'a.png' },
      { ...png, label: 'additional', originalName: 'b.png' },
    ],
    entries: { issuing_country: 'CH', name: 'Ada' },
  });
  const document = parse(text, 'pages');
  assert.deepEqual(
    document.pages.map((one) => [one.label, one.originalName, one.size]),
    [
      ['front', 'a.png', 4],
      ['additional', 'b.png', 4],
    ],
  );
  assert.deepEqual(document.pages[1]!.bytes(), bytes);
  assert.deepEqual({ ...document.entries }, { issuing_country: 'CH', name: 'Ada' });
});

test('the entries of a file envelope may be named like prototype members', () => {
  const entries = JSON.parse('{"__proto__":"a","constructor":"b"}');
  const parsed = parse(buildFileEnvelope({ file: png, entries }), 'file').entries;
  assert.deepEqual(Object.entries(parsed), [
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  assert.equal(parse(buildFileEnvelope({ file: png }), 'file').entries.constructor, undefined);
});

test('the builders of file envelopes refuse what the reader refuses', () => {
  for (const key of [
    'file',
    'size',
    'name',
    'original_name',
    'mime_type',
    'pages',
    'full',
    'Upper',
    'a-b',
    '',
  ]) {
    assert.throws(() => buildFileEnvelope({ file: png, entries: { [key]: 'x' } }), {
      code: 'envelope_malformed',
    });
  }
  for (const key of ['pages', 'file', 'full']) {
    assert.throws(
      () =>
        buildPagesEnvelope({ pages: [{ ...png, label: 'back', originalName: '' }], entries: { [key]: 'x' } }),
      {
        code: 'envelope_malformed',
      },
    );
  }
  assert.throws(() => buildPagesEnvelope({ pages: [] }), { code: 'envelope_malformed' });
  assert.throws(() => buildPhotoEnvelope({ full: { bytes, mimeType: '' } }), { code: 'envelope_malformed' });
  assert.throws(() => buildPhotoEnvelope({ full: { bytes, mimeType: 'a/b;base64,x' } }), {
    code: 'envelope_malformed',
  });
});

const refused: [string, unknown][] = [
  ['an array', []],
  ['null', null],
  ['no member', {}],
  ['a text', 'x'],
  ['a photo with an unknown member', { full: uri, name: 'x' }],
  ['a photo that is a file too', { full: uri, file: uri }],
  ['a photo without data URI', { full: 'AQIDBA==' }],
  ['a photo with an empty thumb', { full: uri, thumb: '' }],
  ['a file that is no text', { file: 1 }],
  ['a negative size', { file: uri, size: -1 }],
  ['a size as text', { file: uri, size: '4' }],
  ['an entry that is no text', { file: uri, document_number: 7 }],
  ['an entry with an illegal key', { file: uri, 'Document-Number': '7' }],
  ['no page', { pages: [] }],
  ['invalid pages', { pages: 'front' }],
  ['pages and a file', { pages: [page], file: uri }],
  ['a page that is null', { pages: [null] }],
  ['a page with an unknown label', { pages: [{ ...page, label: 'side' }] }],
  ['a page without a name', { pages: [{ label: 'front', file: uri }] }],
  ['a page with an unknown member', { pages: [{ ...page, note: 'x' }] }],
];

for (const [name, value] of refused) {
  test(`the reader of file envelopes refuses ${name}`, () => {
    assert.throws(() => parseFileEnvelope(JSON.stringify(value)), {
      name: 'CryptoError',
      code: 'envelope_malformed',
    });
  });
}

test('the reader of file envelopes refuses text that is not JSON', () => {
  assert.throws(() => parseFileEnvelope(uri), { code: 'envelope_malformed' });
});

test('a data URI reads as it was built', () => {
  const mimeType = fc.constantFrom(
    'image/png',
    'application/pdf',
    'image/svg+xml',
    'text/plain;charset=utf-8',
  );
  fc.assert(
    fc.property(mimeType, fc.uint8Array(), (type, content) => {
      assert.deepEqual(parseDataUri(buildDataUri({ mimeType: type, bytes: content })), {
        mimeType: type,
        bytes: content,
      });
    }),
  );
});

for (const text of [
  '',
  'data:',
  'data:,hello',
  'data:;base64,AQ==',
  'data:text/plain,AQ==',
  'data:text/plain;base64',
  'data:text/plain;base64,AQ',
  'data:text/plain;base64,AR==',
  'data:text/plain;base64,AQ==\n',
  'data:text/plain;base64,AQ%3D%3D',
  'data:text;base64,AQ==',
  'data:te xt/plain;base64,AQ==',
  ' data:text/plain;base64,AQ==',
  'https://example.org/a.png',
]) {
  test(`the reader of data URIs refuses ${JSON.stringify(text)}`, () => {
    assert.throws(() => parseDataUri(text), { code: 'envelope_malformed' });
  });
}

test('the readers of file envelopes and data URIs throw only their own error', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      assert.throws(() => parseFileEnvelope(text), { code: 'envelope_malformed' });
    }),
  );
});

function parse<Kind extends FileEnvelope['kind']>(
  text: string,
  kind: Kind,
): Extract<FileEnvelope, { kind: Kind }> {
  const envelope = parseFileEnvelope(text);
  assert.equal(envelope.kind, kind);
  return envelope as Extract<FileEnvelope, { kind: Kind }>;
}
