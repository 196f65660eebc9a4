import type { ChangeEvent } from '@symbolon/protocol';
import type { Change } from '@symbolon/sdk';
import { valueJson, valueLine } from '../data/value-text.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';
import type { Outcome } from './forwarder.ts';

/** Where deliveries are shown, one line each, in the order they came. */
export class Board {
  readonly #open: (event: ChangeEvent) => Promise<Change | undefined>;
  readonly #parks: boolean;
  readonly #json: boolean;
  readonly #paint: Paint;
  readonly #closed = Promise.withResolvers<never>();
  #lines: Promise<void> = Promise.resolve();
  #isParked = false;

  /**
   * @param options.open gives the event with its value opened; undefined when it cannot be
   * @param options.parks whether the platform keeps what was not answered 200, and all behind it
   */
  constructor(options: {
    open: (event: ChangeEvent) => Promise<Change | undefined>;
    parks: boolean;
    json: boolean;
  }) {
    this.#open = options.open;
    this.#parks = options.parks;
    this.#json = options.json;
    this.#paint = createPaint(process.stdout);
    this.#closed.promise.catch(() => undefined);
  }

  /** Rejects when the output is closed. */
  get closed(): Promise<never> {
    return this.#closed.promise;
  }

  /** Resolves when everything so far is printed. */
  settled(): Promise<void> {
    return this.#lines.catch(() => undefined);
  }

  /** @param answered the status the platform got; null when it got none */
  show(event: ChangeEvent, outcome: Outcome, answered: number | null): Promise<void> {
    const at = new Date().toISOString();
    return this.#print(async () => {
      const change = await this.#open(event).catch(() => undefined);
      if (this.#json) return [jsonLine(deliveryJson({ at, event, change, outcome, answered }))];
      const isParked = this.#parks && answered !== 200;
      const turned = isParked && !this.#isParked;
      this.#isParked = isParked;
      const line = deliveryText({ at, event, change, outcome }, this.#paint);
      return turned ? [line, this.#paint.dim(PARKED)] : [line];
    });
  }

  /** A line about the listening itself; in JSON an object with its type. */
  say(type: string, members: object, text: string): Promise<void> {
    return this.#print(async () => [this.#json ? jsonLine({ type, ...members }) : text]);
  }

  #print(lines: () => Promise<readonly string[]>): Promise<void> {
    this.#lines = this.#lines
      .then(lines)
      .then(async (texts) => {
        for (const text of texts) await writeLine(text);
      })
      .catch((error) => this.#closed.reject(error));
    return this.#lines;
  }
}

type Shown = { at: string; event: ChangeEvent; change: Change | undefined; outcome: Outcome };

function deliveryJson({ at, event, change, outcome, answered }: Shown & { answered: number | null }): object {
  const { value: sealed, ...members } = event;
  const opened =
    change?.value === undefined ? (sealed === undefined ? {} : { sealed }) : valueJson(change.value);
  const { event: name, at: happened, ...rest } = members;
  return {
    type: 'delivery',
    received_at: at,
    event: name,
    at: happened,
    ...rest,
    ...opened,
    forwarded: forwardedJson(outcome),
    answered,
  };
}

function forwardedJson(outcome: Outcome): object | null {
  switch (outcome.kind) {
    case 'shown':
      return null;
    case 'answered':
      return { status: outcome.status, duration_ms: outcome.durationMs, too_late: outcome.tooLate };
    case 'unreached':
      return { error: outcome.reason, duration_ms: outcome.durationMs };
  }
}

function deliveryText({ at, event, change, outcome }: Shown, paint: Paint): string {
  const { slug, share_code: shareCode, person_user_id: personId } = event;
  const what = [
    ...(slug === undefined ? [] : [paint.bold(printable(slug))]),
    ...(change?.value === undefined
      ? event.value === undefined
        ? []
        : [paint.sealed('(sealed)')]
      : [valueLine(change.value, paint)]),
    ...('test' in event && event.test === true ? [paint.dim('(a test)')] : []),
  ].join('  ');
  return [
    paint.dim(at.slice(11, 23)),
    pad(paint.name(printable(event.event)), 20),
    pad(printable(shareCode ?? personId ?? ''), 8),
    ...(what === '' ? [] : [what]),
    outcomeText(outcome, paint),
  ].join('  ');
}

function outcomeText(outcome: Outcome, paint: Paint): string {
  switch (outcome.kind) {
    case 'shown':
      return '';
    case 'answered': {
      const { status, durationMs, tooLate } = outcome;
      const isGood = status === 200 && !tooLate;
      const late = tooLate ? ' too late: the platform waits 10 s' : '';
      return `→ ${(isGood ? paint.good : paint.bad)(`${status}${late}`)} ${paint.dim(`${durationMs} ms`)}`;
    }
    case 'unreached':
      return `→ ${paint.bad(`no answer: ${printable(outcome.reason)}`)} ${paint.dim(`${outcome.durationMs} ms`)}`;
  }
}

const PARKED =
  '   Not a 200: the platform parks this event and all after it, and tries again in 10 minutes. To begin from the start, stop and start listen; what is parked goes with the webhook.';
