import { isCalendarDate } from '@symbolon/field-types';
import type { DateUnit } from '@symbolon/protocol/constants';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whole units from one day to another; null when one of them is no `YYYY-MM-DD` of the calendar (wire 13.4). */
export function dateDifference(unit: DateUnit, from: unknown, to: unknown): number | null {
  const [first, second] = [dateOf(from), dateOf(to)];
  if (first === undefined || second === undefined) return null;
  const days = (second.time - first.time) / DAY_MS;
  const years = second.year - first.year;
  const months = 12 * years + second.month - first.month;
  switch (unit) {
    case 'days':
      return days;
    case 'weeks':
      // A sum with 0 turns -0 into 0.
      return Math.trunc(days / 7) + 0;
    case 'months':
      return second.day < first.day ? months - 1 : months;
    case 'years': {
      const isEarlier =
        second.month < first.month || (second.month === first.month && second.day < first.day);
      return isEarlier ? years - 1 : years;
    }
  }
}

function dateOf(value: unknown) {
  const text = typeof value === 'string' ? value.trim() : '';
  if (!isCalendarDate(text)) return undefined;
  const part = (start: number, end: number) => Number(text.slice(start, end));
  const time = Date.parse(`${text}T00:00:00Z`);
  return { time, year: part(0, 4), month: part(5, 7), day: part(8, 10) };
}
