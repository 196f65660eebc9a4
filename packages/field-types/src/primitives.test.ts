import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isCalendarDate } from './calendar-date.ts';
import { checkPhone } from './primitives.ts';

describe('calendar dates', () => {
  for (const date of ['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '2023-04-30']) {
    it(`${date} is a calendar date`, () => assert.ok(isCalendarDate(date)));
  }
  const wrong = [
    '2023-02-29',
    '1900-02-29',
    '2023-04-31',
    '2023-00-10',
    '2023-13-01',
    '2023-01-00',
    '2023-01-32',
    '0000-01-01',
  ];
  const malformed = [
    '2023-1-1',
    '20230101',
    '2023-01-01T00:00:00Z',
    ' 2023-01-01',
    '2023-01-01\n',
    '+2023-01-01',
    '10000-01-01',
    '٢٠٢٣-٠١-٠١',
    '2023/01/01',
  ];
  for (const date of [...wrong, ...malformed]) {
    it(`${JSON.stringify(date)} is no calendar date`, () => assert.ok(!isCalendarDate(date)));
  }

  it('calendar dates agree with the calendar of JavaScript', () => {
    const part = (max: number) => fc.nat({ max });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), part(14), part(33), (year, month, day) => {
        const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
        const date = new Date(0);
        date.setUTCFullYear(year, month - 1, day);
        assert.equal(isCalendarDate(text), date.getUTCMonth() === month - 1 && date.getUTCDate() === day);
      }),
    );
  });

  function pad(number: number, length: number): string {
    return String(number).padStart(length, '0');
  }
});

describe('phone numbers', () => {
  const takes: [string, string][] = [
    ['+31 6 12345678', '+31612345678'],
    ['(020) 123-45.67', '0201234567'],
    ['(+1) 555 0100', '+15550100'],
    ['1234', '1234'],
    ['123456789012345', '123456789012345'],
  ];
  for (const [text, normalized] of takes) {
    it(`${text} is a phone number`, () => assert.deepEqual(checkPhone(text), { valid: true, normalized }));
  }
  for (const text of [
    '123',
    '1234567890123456',
    '++1234',
    '12+34',
    '12/34',
    '1234x5',
    '٠١٢٣٤٥',
    '1234\t5',
    '+',
    '()',
  ]) {
    it(`${JSON.stringify(text)} is no phone number`, () => assert.ok(!checkPhone(text).valid));
  }

  it('phone numbers may have 4 to 15 digits in any grouping', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 });
    const grouping = fc.array(fc.constantFrom('', ' ', '-', '(', ')', '.'), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(digits, grouping, (number, gaps) => {
        const grouped = [...number].map((digit, place) => digit + gaps[place]).join('');
        assert.equal(checkPhone(grouped).valid, number.length >= 4 && number.length <= 15);
      }),
    );
  });
});
