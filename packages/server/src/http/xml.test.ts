import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XMLBuilder } from 'fast-xml-parser';
import type { LongText } from '../core/long-text.ts';
import { WrittenJson } from '../core/written-json.ts';
import { LargeXml } from './large-xml.ts';
import { toXml, toXmlItem } from './xml.ts';

const xml = (payload: unknown) => {
  const [, root] =
    /^<\?xml version="1\.0" encoding="UTF-8"\?><response>(.*)<\/response>$/s.exec(toXml(payload)) ?? [];
  return root;
};

test('an object becomes elements in member order, an array repeated items, everything else text', () => {
  assert.equal(
    xml({ b: 'x', a: [1, 'two', { c: true }], d: { e: false, f: 1.5 } }),
    '<b>x</b><a><item>1</item><item>two</item><item><c>true</c></item></a><d><e>false</e><f>1.5</f></d>',
  );
  assert.equal(xml({ text: `<&>"' \n` }), '<text>&lt;&amp;&gt;&quot;&apos; \n</text>');
});

test('null and an empty array are absent, for clients read an empty element as text', () => {
  assert.equal(xml({ changes: [] }), '');
  assert.equal(
    xml({ total: 0, items: [], note: null, row: { pending_consent: [], id: 'x' } }),
    '<total>0</total><row><id>x</id></row>',
  );
  assert.equal([xml(null), xml([]), xml({})].join(), ',,', 'the root is always there');
  assert.equal(
    xml({ rows: [[], {}, null, ''] }),
    '<rows><item></item><item></item><item></item><item></item></rows>',
  );
});

test('a member whose name is no XML name gets one', () => {
  for (const [member, element] of [
    ['019c1363-49c0-7349-8e98-bfa1c2b558be', '_019c1363-49c0-7349-8e98-bfa1c2b558be'],
    ['conn:a:b', 'conn_a_b'],
    ['-a', '_-a'],
    ['a b<c>/"&', 'a_b_c____'],
    ['#text', '_text'],
    ['Žižek.1', 'Žižek.1'],
    ['😀', '😀'],
    ['\u0301a', '_\u0301a'],
    ['', '_'],
  ] as const) {
    assert.equal(xml({ [member]: 'x' }), `<${element}>x</${element}>`, member);
  }
});

test('a character that XML cannot carry becomes U+FFFD', () => {
  assert.equal(xml({ a: 'x\u0007\ud800\ufffey\u{1F600}\t' }), '<a>x\ufffd\ufffd\ufffdy\u{1F600}\t</a>');
});

test('another writer of XML makes the same text of names and values that need no care', () => {
  const builder = new XMLBuilder({ ignoreAttributes: true, suppressEmptyNode: false, format: false });
  const inner = {
    a: `<&>"'`,
    b: { item: ['1', '', 'true', { c: '' }] },
    item: '-0.5',
    'é.1': '\n\r\t',
    d: '',
  };
  const response = { list: { item: [inner, { inner }] }, inner };
  assert.equal(
    toXml({
      list: [{ ...inner, b: inner.b.item }, { inner: { ...inner, b: inner.b.item } }],
      inner: { ...inner, b: inner.b.item },
    }),
    `<?xml version="1.0" encoding="UTF-8"?>${builder.build({ response })}`,
  );
});

const wholeOf = async (answer: string | LongText) =>
  typeof answer === 'string' ? answer : Buffer.concat(await Array.fromAsync(answer.slices())).toString();

test('what is large is written in a thread, once for each stored text, as the same text', async (t) => {
  const xml = new LargeXml();
  t.after(() => xml.stop());
  const text = 'é<"& '.repeat(20_000);
  const stored = JSON.stringify({ deep: [{ text }, [], null, {}], none: null, empty: [] });
  const answers = [
    { a: 1, definition: WrittenJson.of(stored), list: [WrittenJson.of('[]'), WrittenJson.of('{"b":2}')] },
    { none: WrittenJson.of('null'), again: WrittenJson.of(stored), same: WrittenJson.of(stored) },
    { text, small: WrittenJson.of('"<"') },
    [text, null],
    text,
  ];
  for (const answer of answers) {
    assert.equal(await wholeOf(await xml.answer(answer)), toXml(answer));
    assert.equal(await wholeOf(await xml.item(answer)), toXmlItem(answer));
  }
  assert.equal(xml.handedOver, 1 + 3 * 2);
  assert.equal(xml.item({ a: WrittenJson.of('1') }), '<item><a>1</a></item>', 'at once');
  assert.equal(await xml.answer(null), toXml(null));
});
