import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FieldTypeError, type FieldTypeErrorCode } from './errors.ts';
import { compilePattern } from './pattern.ts';

/** Any UTF-16 unit, lone surrogates among them. */
const utf16 = fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit));

function refuses(source: string, code: FieldTypeErrorCode): void {
  assert.throws(
    () => compilePattern(source),
    (error) => error instanceof FieldTypeError && error.code === code,
  );
}

describe('a pattern', () => {
  const whole: [string, string, boolean][] = [
    ['a', 'a', true],
    ['a', 'ba', false],
    ['a', 'ab', false],
    ['a', 'a\n', false],
    ['a|ab', 'ab', true],
    ['a|b', 'ab', false],
    ['^a$', 'a', true],
    ['(?m)^a$', 'a\nb', false],
    ['\\d+', '٣', false],
    ['.', '😀', true],
    ['.', '\n', false],
    ['(?i)abc', 'AbC', true],
    ['\\p{L}+', 'Åse', true],
    ['', '', true],
    ['', 'a', false],
  ];
  for (const [source, text, expected] of whole) {
    it(`/${source}/ ${expected ? 'matches' : 'does not match'} ${JSON.stringify(text)}`, () => {
      assert.equal(compilePattern(source).matches(text), expected);
    });
  }

  it('a pattern matches what a JavaScript regex matches between anchors', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '(a|ab)', '(a|b)');
    const piece = fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '*?', '+?'));
    const branch = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.map(([a, b]) => a + b).join(''));
    const source = fc.array(branch, { minLength: 1, maxLength: 3 }).map((branches) => branches.join('|'));
    fc.assert(
      fc.property(
        source,
        fc.string({ unit: fc.constantFrom('a', 'b', '1'), maxLength: 12 }),
        (pattern, text) => {
          assert.equal(compilePattern(pattern).matches(text), new RegExp(`^(?:${pattern})$`).test(text));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('what cannot be matched in linear time', () => {
  for (const source of [
    '(?=a)b',
    '(?!a)b',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(?>a)',
    'a++',
  ]) {
    it(`the pattern ${source} is refused because it needs backtracking`, () =>
      refuses(source, 'pattern_invalid'));
  }
  for (const source of ['(', '[', 'a)|(b', '*', 'a{1001}', '(a{1000}){1000}', '\\']) {
    it(`the pattern ${source} is refused as invalid`, () => refuses(source, 'pattern_invalid'));
  }
  it('a pattern whose repeats expand too far is refused', () => {
    for (const source of ['.{1,1000}', '(((a|b)?){30}){30}', '(a|b)*a(a|b){990}'])
      refuses(source, 'pattern_too_complex');
  });
  it('a pattern longer than 200 characters is refused', () => {
    assert.ok(compilePattern('a'.repeat(200)).matches('a'.repeat(200)));
    refuses('a'.repeat(201), 'pattern_too_long');
  });
});

// A backtracking engine would not come to an end with most of these: that the test ends is the proof.
describe('a hostile pattern ends on a long text', () => {
  const length = 100_000;
  const hostile = [
    '(a+)+$',
    '(a*)*b',
    '(a|a)*b',
    '(a|aa)+$',
    '(.*)*(.*)*(.*)*x',
    '(x+x+)+y',
    '(([a-z])+.)+[A-Z]',
    'a?'.repeat(50) + 'a'.repeat(50),
  ];
  for (const source of hostile) {
    it(`the hostile pattern ${source.slice(0, 30)} finishes on a long text`, () => {
      assert.equal(compilePattern(source).matches(`${'a'.repeat(length)}!`), false);
      assert.equal(compilePattern(source).matches(`${'x'.repeat(length)}!`), false);
    });
  }
});

describe('the cache', () => {
  it('the pattern cache returns the same compiled pattern for the same source', () => {
    assert.equal(compilePattern('same'), compilePattern('same'));
  });
  it('the pattern cache forgets the least recently used pattern', () => {
    const kept = compilePattern('kept');
    const forgotten = compilePattern('forgotten');
    for (let i = 0; i < 600; i++) {
      compilePattern(`filler${i}`);
      compilePattern('kept');
    }
    assert.equal(compilePattern('kept'), kept);
    assert.notEqual(compilePattern('forgotten'), forgotten);
  });
  it('compiling any source gives a pattern or a reason', () => {
    const source = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'ab()[]{}*+?|\\^$.,-1:<=!P') }),
      fc.string({ unit: utf16 }),
    );
    fc.assert(
      fc.property(source, fc.string({ unit: utf16 }), (pattern, text) => {
        try {
          assert.equal(typeof compilePattern(pattern).matches(text), 'boolean');
        } catch (error) {
          assert.ok(error instanceof FieldTypeError, String(error));
        }
      }),
      { numRuns: 500 },
    );
  });
});
