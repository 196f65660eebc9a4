import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  checkCard,
  checkDecimal,
  checkFloat,
  checkInteger,
  checkNumber,
  checkUrl,
  type TextCheck,
} from './checks.ts';

/** Any UTF-16 unit, lone surrogates among them. */
const utf16 = fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit));

/** Wire 2.4, checks: what each takes, with its normal form, and what it refuses. */
const table: { check: TextCheck; takes: [string, string][]; refuses: string[] }[] = [
  {
    check: checkUrl,
    takes: [
      ['example.com', 'https://example.com'],
      ['example.com:8080/a?b#c', 'https://example.com:8080/a?b#c'],
      ['http://example.com', 'http://example.com'],
      ['HTTPS://EXAMPLE.COM', 'HTTPS://EXAMPLE.COM'],
      ['bücher.example', 'https://bücher.example'],
      ['localhost/a.html', 'https://localhost/a.html'],
    ],
    refuses: [
      'example',
      'ftp://example.com',
      'https://',
      'https://.com',
      'http:///a.com',
      'a.b',
      'a b.com',
      ' a.com',
      'a.com\n',
      'a.c\u00a0om',
    ],
  },
  {
    check: checkCard,
    takes: [
      ['4111 1111 1111 1111', '4111111111111111'],
      ['3782-822463-10005', '378282246310005'],
      ['6304000000000000', '6304000000000000'],
    ],
    refuses: [
      '4111111111111112',
      '4111.1111.1111.1111',
      '18',
      '٤١١١١١١١١١١١١١١١',
      '00000000000',
      '0'.repeat(20),
      '',
      '-',
    ],
  },
  {
    check: checkNumber,
    takes: [
      ['1', '1'],
      [' -1.50\n', '-1.50'],
      ['+1', '+1'],
      ['.5', '.5'],
      ['5.', '5.'],
      ['1e3', '1e3'],
      ['1E-3', '1E-3'],
      ['007', '007'],
      ['1e-999', '1e-999'],
    ],
    refuses: [
      '',
      ' ',
      '.',
      'e1',
      '0x10',
      '0b1',
      '1_000',
      '1,5',
      '1 000',
      'Infinity',
      '-Infinity',
      'NaN',
      '1e999',
      '١',
      '１',
      '--1',
      '1e',
      '1e1.5',
    ],
  },
  {
    check: checkInteger,
    takes: [
      ['0', '0'],
      [' -12 ', '-12'],
      ['007', '007'],
      ['9'.repeat(400), '9'.repeat(400)],
    ],
    refuses: ['', '+1', '1.0', '1e3', '- 1', '١', '-'],
  },
  {
    check: checkDecimal,
    takes: [
      ['12345678.90', '12345678.90'],
      [' -1.5 ', '-1.5'],
      ['0', '0'],
    ],
    refuses: ['', '123456789', '1.234', '1.', '.5', '+1', '1e2', '1,50', '١'],
  },
  {
    check: checkFloat,
    takes: [
      ['1', '1'],
      ['-1.5e+10', '-1.5e+10'],
      [' 1E5 ', '1E5'],
    ],
    refuses: ['', '+1', '.5', '1.', '1e', 'Infinity', '0x1', '١'],
  },
];

for (const { check, takes, refuses } of table) {
  describe(check.name, () => {
    for (const [text, normalized] of takes) {
      it(`${check.name} accepts ${JSON.stringify(text.slice(0, 40))}`, () => {
        assert.deepEqual(check(text), { valid: true, normalized });
      });
    }
    for (const text of refuses) {
      it(`${check.name} refuses ${JSON.stringify(text)}`, () => assert.equal(check(text).valid, false));
    }
    it('a check accepts its own normal form unchanged', () => {
      const anyText = fc.oneof(
        fc.string({ unit: utf16 }),
        fc.string({ unit: fc.constantFrom(...'0123456789+-.eE :/a') }),
      );
      fc.assert(
        fc.property(anyText, (text) => {
          const once = check(text);
          if (once.valid) assert.deepEqual(check(once.normalized), once);
        }),
      );
    });
  });
}

describe('the number family', () => {
  it('a number check accepts every finite double as JavaScript prints it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        assert.ok(checkNumber(String(number)).valid);
        assert.ok(checkFloat(String(number)).valid);
      }),
    );
  });

  it('a number check accepts exactly what its grammar and the range of doubles allow', () => {
    const grammar = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$/;
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'019+-.eE x_') }), (text) => {
        const expected = grammar.test(text.trim()) && Number.isFinite(Number(text));
        assert.equal(checkNumber(text).valid, expected);
      }),
    );
  });
});

describe('Luhn', () => {
  it('the Luhn check accepts exactly one last digit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 11, maxLength: 18 }),
        (digits) => {
          const right = [...'0123456789'].filter((last) => checkCard(digits + last).valid);
          assert.equal(right.length, 1);
        },
      ),
    );
  });

  it('the Luhn check refuses a number with one wrong digit', () => {
    fc.assert(
      fc.property(fc.nat({ max: 15 }), fc.integer({ min: 1, max: 9 }), (place, shift) => {
        const digits = [...'4111111111111111'];
        digits[place] = String((Number(digits[place]) + shift) % 10);
        assert.equal(checkCard(digits.join('')).valid, false);
      }),
    );
  });
});

it('checks finish on megabytes of hostile text', () => {
  const megabyte = 1_000_000;
  const hostile = [
    `https://a${'.'.repeat(megabyte)} `,
    `https://${'a.'.repeat(megabyte)}`,
    `${'a'.repeat(megabyte)}:`,
    '1'.repeat(megabyte),
    `${'1'.repeat(megabyte)}x`,
    `${' '.repeat(megabyte)}1${' '.repeat(megabyte)}x`,
  ];
  for (const { check } of table)
    for (const text of hostile) assert.equal(typeof check(text).valid, 'boolean');
});
