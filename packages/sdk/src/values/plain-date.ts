/**
 * A calendar date without time and zone, as a `date` answer means it. A JavaScript `Date` would be an instant: shown
 * west of Greenwich, a birthday would fall on the day before. `toString()` and `JSON.stringify` give `YYYY-MM-DD`,
 * which also sorts by time.
 */
export class PlainDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;

  private constructor(year: number, month: number, day: number) {
    this.year = year;
    this.month = month;
    this.day = day;
    Object.freeze(this);
  }

  /** Reads `YYYY-MM-DD`; `undefined` for any other text and for days that no calendar has. */
  static parse(text: string): PlainDate | undefined {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
    if (year === undefined || Number.isNaN(Date.parse(`${text}T00:00:00Z`))) return undefined;
    const date = new PlainDate(Number(year), Number(month), Number(day));
    // Some engines roll the 30th of February over to March.
    return date.toInstant().toISOString().slice(0, 10) === text ? date : undefined;
  }

  /** The instant at which the day begins in UTC. */
  toInstant(): Date {
    return new Date(`${this.toString()}T00:00:00.000Z`);
  }

  toString(): string {
    const pad = (value: number, digits: number) => String(value).padStart(digits, '0');
    return `${pad(this.year, 4)}-${pad(this.month, 2)}-${pad(this.day, 2)}`;
  }

  toJSON(): string {
    return this.toString();
  }
}
