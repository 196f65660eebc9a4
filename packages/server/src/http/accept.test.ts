import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestEncoding, prefersXml, takesHtml } from './accept.ts';

for (const [accept, isXml] of [
  [undefined, false],
  ['*/*', false],
  ['application/*', false],
  ['application/xml', true],
  ['application/xml, application/json', false],
  ['APPLICATION/XML;q=0.9, application/json;q=0.8', true],
  ['application/xml;q=0.1, */*', false],
  ['application/xml;q=0.5, application/*;q=0.9', false],
  ['application/xml, */*;q=0.8', true],
  ['application/xml;q=0.5, application/*;q=0.4, */*', true],
  ['application/json;q=0, */*', true],
  ['application/xml;q=0, */*', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ...['much', '5', '1e1', 'infinity', '1.001', '0.1234', '.5', '-1', '0x1', '', '"1"'].map(
    (weight) => [`application/xml;q=${weight}`, false] as const,
  ),
  ['application/xml;q', false],
  ['application/xml; q = 1', false],
  ['application/xml;Q=1.000', true],
  ['application/xml;q=0.001', true],
  ['application/xml;q=1.', true],
  ['application/xml;q=0.', false],
  ['application/json;q=5, application/xml;q=0.1', true],
] as const) {
  test(`Accept: ${accept} takes ${isXml ? 'XML' : 'JSON'}`, () => assert.equal(prefersXml(accept), isXml));
}

for (const [accept, isHtml] of [
  [undefined, false],
  ['*/*', false],
  ['application/json, text/plain, */*', false],
  ['text/html', true],
  ['TEXT/HTML;charset=utf-8', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html, application/json', true],
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', true],
  ['text/html;q=0, application/json', false],
  ['text/html;q=0, */*', false],
  ['text/html;q=0.5, application/json', false],
  ['text/html;q=5, application/json', false],
  ['text/html-sandboxed', false],
] as const) {
  test(`Accept: ${accept} takes ${isHtml ? 'HTML' : 'no HTML'}`, () =>
    assert.equal(takesHtml(accept), isHtml));
}

for (const [header, encoding] of [
  [undefined, undefined],
  ['', undefined],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0', 'gzip'],
  ['br;q=1.0, gzip;q=0.8', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0', undefined],
  ['*;q=0', undefined],
  ['GZIP', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['deflate', undefined],
  ['x-gzip', 'gzip'],
  ['X-GZIP;q=0', undefined],
  ['x-gzip;q=0.5, br;q=0.2', 'gzip'],
  ['gzip;q=5', undefined],
  ['gzip;q=1e1, br;q=0.1', 'br'],
] as const) {
  test(`Accept-Encoding: ${header} takes ${encoding ?? 'no compression'}`, () =>
    assert.equal(bestEncoding(header), encoding));
}

test('an encoding that there is not leaves the next one', () => {
  assert.equal(
    bestEncoding('br, gzip;q=0.5', (encoding) => encoding === 'gzip'),
    'gzip',
  );
});
