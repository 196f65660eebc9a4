import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { proves } from '@symbolon/testkit/evidence/evidence';
import fc from 'fast-check';
import { JsonReader } from './json-reader.ts';

const bounds = { values: limits.jsonBodyValues, structureBytes: 250_000 };

/** Reads a body in pieces that end at the given places. */
function parse(body: string | Buffer, ends: readonly number[] = []): unknown {
  const bytes = Buffer.from(body as string);
  const reader = new JsonReader(bounds);
  let start = 0;
  for (const end of [...ends.map((end) => end % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    reader.write(bytes.subarray(start, end));
    start = end;
  }
  return reader.end();
}
const nested = (depth: number, inside: string) => `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`;
const ends = fc.array(fc.nat(), { maxLength: 20 });

test('a JSON body is parsed to the value it describes', () => {
  const values = fc
    .jsonValue({ maxDepth: 5, stringUnit: fc.constantFrom('a', '"', '\\', '\n', 'ä', '€', '😀', '\u0007') })
    .filter((value) => value !== null);
  fc.assert(
    fc.property(values, fc.boolean(), ends, (value, escapes, ends) => {
      const text = JSON.stringify(value, null, 2);
      assert.deepEqual(parse(escapes ? escaped(text) : text, ends), JSON.parse(text));
    }),
  );
});

test('long texts come out as they went in, wherever the pieces end', () => {
  const character = fc.constantFrom('a', '"', '\\', '/', '\n', 'ä', '€', '😀', 'u0041');
  const texts = fc.array(
    fc
      .tuple(fc.array(character, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 3000 }))
      .map(([unit, times]) => unit.join('').repeat(times)),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(texts, fc.boolean(), ends, (texts, escapes, ends) => {
      const value = { first: 1, texts, last: { text: texts[0] } };
      const text = JSON.stringify(value);
      assert.deepEqual(parse(escapes ? escaped(text) : text, ends), value);
    }),
  );
});

test('a byte order mark is refused by its name', () => {
  const said = (body: string) => {
    try {
      return parse(body);
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.match(String(said('\ufeff{}')), /byte order mark/);
  assert.deepEqual(parse('{"a":"\ufeff"}'), { a: '\ufeff' });
});

test('what JSON.parse refuses is refused, wherever the pieces end', () => {
  const unit = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '"a"',
    '1',
    '\\',
    '\t',
    ' ',
    `"${'x'.repeat(5000)}"`,
  );
  fc.assert(
    fc.property(
      fc.array(unit, { maxLength: 12 }).map((units) => units.join('')),
      ends,
      (text, ends) => {
        let expected: unknown;
        try {
          expected = JSON.parse(text) ?? undefined;
        } catch {
          if (text === '') return;
          assert.throws(() => parse(text, ends), { key: 'request.malformed' });
          return;
        }
        if (/x":|x"\s+:/.test(text)) assert.throws(() => parse(text, ends), { key: 'request.malformed' });
        else assert.deepEqual(parse(text, ends), expected);
      },
    ),
    { numRuns: 2000 },
  );
});

test('brackets inside strings do not count as nesting of a JSON body', () => {
  const brackets = fc.string({ unit: fc.constantFrom('[', '{', '"', '\\', ']', ',', 'a') });
  proves('limit:jsonBodyDepth');
  fc.assert(
    fc.property(brackets, fc.integer({ min: 1, max: limits.jsonBodyDepth }), (text, depth) => {
      assert.ok(Array.isArray(parse(nested(depth, JSON.stringify(text)))));
      assert.throws(() => parse(nested(limits.jsonBodyDepth + depth, JSON.stringify(text))), {
        key: 'request.malformed',
      });
    }),
  );
});

test('a body has at most so many values, counted with the containers that hold them', () => {
  const most = limits.jsonBodyValues;
  const zeros = (count: number) => JSON.stringify(new Array(count).fill(0));
  const members = (count: number) =>
    JSON.stringify(Object.fromEntries(new Array(count).fill(0).map((_, index) => [`m${index}`, '",,['])));
  for (const make of [zeros, members]) {
    assert.ok(parse(make(most - 1)));
    assert.throws(() => parse(make(most)), { key: 'request.too_large' });
  }
  assert.throws(() => parse(`{"a":[${'[],'.repeat(most / 2)}[]]}`), { key: 'request.too_large' });
  proves('limit:jsonBodyValues');
});

test('a body beside its long texts has a bound of its own', () => {
  const long = JSON.stringify('x'.repeat(1_000_000));
  assert.ok(parse(`[${long},${long}]`));
  for (const text of [
    `[${' '.repeat(250_000)}]`,
    JSON.stringify(new Array(70).fill('x'.repeat(4000))),
    `[1${'0'.repeat(250_000)}]`,
  ]) {
    assert.throws(() => parse(text), { key: 'request.too_large' }, text.slice(0, 20));
  }
});

test('text that is no JSON is refused, however its strings end', () => {
  for (const text of ['"', '"\\', '"\\"', '{"a":"', '["\\\\\\"]', '{', 'nothing', '["\u0001"]', '["\\x"]']) {
    assert.throws(() => parse(text), { key: 'request.malformed' }, text);
  }
});

test('control characters in a long text are refused, wherever they stand', () => {
  const filler = 'x'.repeat(5000);
  for (const code of [0, 1, 0x0a, 0x1f]) {
    for (const at of [0, 1, 2, 3, 4, 5, 4000, 4001, 4997, 4998, 4999]) {
      const text = `"${filler.slice(0, at)}${String.fromCharCode(code)}${filler.slice(at)}"`;
      for (const ends of [[], [4500], [4501, 4502]])
        assert.throws(() => parse(text, ends), { key: 'request.malformed' }, `${code} at ${at}`);
    }
  }
  const printable = ` !#[]~\u007f${filler}`;
  assert.ok(parse(`"${printable}"`) === printable);
});

test('members named __proto__, NUL characters, lone surrogates and what is no UTF-8 are refused', () => {
  const filler = 'x'.repeat(5000);
  for (const body of [
    '{"__proto__":1}',
    '[{"a":{"\\u005f_proto__":1}}]',
    '["\\u0000"]',
    '{"a\\u0000":1}',
    '["\\ud800"]',
    '["\\ude00\\ud83d"]',
    '{"\\ud800":1}',
    `["${filler}\\u0000"]`,
    `["${filler}\\ud83d${filler}"]`,
    Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    Buffer.concat([Buffer.from(`"${filler}`), Buffer.from([0xc3, 0x22])]),
    Buffer.concat([Buffer.from(`"${filler}`), Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x22])]),
  ]) {
    for (const ends of [[], [5005], [5006, 5007, 5008]]) {
      assert.throws(() => parse(body, ends), { key: 'request.malformed' }, body.toString().slice(0, 60));
    }
  }
  assert.deepEqual(parse('{"a":"\\ud83d\\ude00","b":"__proto__","c":"\\\\u0000"}'), {
    a: '😀',
    b: '__proto__',
    c: '\\u0000',
  });
});

test('no text of a body passes for the marker of a long one', () => {
  const long = 'y'.repeat(5000);
  assert.deepEqual(parse(JSON.stringify([long, '0', '', long.slice(0, 33), 'undefined0'])), [
    long,
    '0',
    '',
    long.slice(0, 33),
    'undefined0',
  ]);
});

/** The same JSON with escapes for the letters of its texts and for characters that are not ASCII. */
function escaped(text: string): string {
  const codes = (character: string) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('');
  return text.replace(/"(?:[^"\\]|\\.)*"/g, (token) =>
    token.replace(/\\.|[a-zä€]|😀/gu, (found) => (found.startsWith('\\') ? found : codes(found))),
  );
}
