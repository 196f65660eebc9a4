/**
 * A calendar date without time and zone. A JavaScript `Date` is an instant: west of Greenwich it would show a birthday
 * one day early. `toString()` and `JSON.stringify` give `YYYY-MM-DD`,
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

  /** Reads `YYYY-MM-DD`; `undefined` for any other text and for days that do not exist. */
  static parse(text: string): PlainDate | undefined {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
    if (year === undefined || Number.isNaN(Date.parse(`${text}T00:00:00Z`))) return undefined;
    const date = new PlainDate(Number(year), Number(month), Number(day));
    // Some engines turn February 30 into a day of March.
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
