import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type Call, type Callable, PlatformAt } from '@symbolon/testkit/platform/calls';
import { WAIT_MOST_MS } from '../../../packages/server/src/domains/regions/directory/peers.ts';

/** What a caller may meet while a company moves (wire 5.2): anything else is a wrong answer. */
const WAIT_MS = 40;
/** How often in a row a call learns that saving is paused. A slow machine says it less often in the same time. */
const PAUSES_MOST = 3000;
/** How often in a row a call learns that others hold what it changes, and what it waits before it repeats the call. */
const BUSY_MOST = 5;
const BUSY_WAIT_MS = 1000;
/** How often in a row a call learns that another region took longer than it is given. An earlier answer of this kind is wrong. */
const LATE_MOST = 5;

/** Remembers every answer that was neither right nor one of those that a move may give. */
export class Record {
  readonly wrong: string[] = [];
  rebased = 0;
  paused = 0;
  busy = 0;
  late = 0;
  renewed = 0;
}

/** A caller that behaves as wire 5.2 says a client does: it follows a 421, waits out a pause, renews a token once. */
export class Caller implements Pick<Callable, 'must'> {
  readonly #record: Record;
  readonly #renew: (() => Promise<{ base: string; token: string }>) | undefined;
  base: string;
  token: string;

  constructor(parts: {
    record: Record;
    base: string;
    token?: string;
    /** Gets a new token, and the base it is for. */
    renew?: () => Promise<{ base: string; token: string }>;
  }) {
    this.#record = parts.record;
    this.#renew = parts.renew;
    this.base = parts.base;
    this.token = parts.token ?? '';
  }

  /** For the actors of other tests: who calls with a token goes on with it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  async must(method: string, path: string, { token, body }: Call = {}): Promise<any> {
    this.token = token ?? this.token;
    return (await this.call(method, path, body)).body;
  }

  /** @param expected statuses that are right; all others but those of a move are remembered as wrong */
  async call(
    method: string,
    path: string,
    body?: unknown,
    expected: readonly number[] = [200, 201, 204],
  ): Promise<Answer> {
    let pauses = 0;
    let busy = 0;
    let late = 0;
    let rebased = false;
    let renewed = false;
    for (;;) {
      const begun = performance.now();
      const answer = await new PlatformAt(this.base).call(method, path, {
        body,
        ...(this.token !== '' && { token: this.token }),
      });
      if (expected.includes(answer.status)) return answer;
      const key: unknown = answer.body?.error_key;
      if (key === 'db.writes_paused' && pauses < PAUSES_MOST) {
        pauses++;
        this.#record.paused++;
        rebased = false;
        renewed = false;
        await pause(WAIT_MS);
      } else if (key === 'service.busy' && busy < BUSY_MOST) {
        busy++;
        this.#record.busy++;
        await pause(BUSY_WAIT_MS);
      } else if (
        key === 'region.unavailable' &&
        late < LATE_MOST &&
        performance.now() - begun >= WAIT_MOST_MS
      ) {
        late++;
        this.#record.late++;
      } else if (key === 'region.rebase_required' && !rebased) {
        this.#record.rebased++;
        rebased = true;
        this.base = answer.body.api_url;
      } else if (key === 'auth.invalid' && !renewed && this.#renew !== undefined) {
        // A token counts where it was minted: after a move the client asks for another (wire 5.1, 5.2).
        this.#record.renewed++;
        renewed = true;
        const fresh = await this.#renew();
        this.base = fresh.base;
        this.token = fresh.token;
      } else {
        const text = `${method} ${this.base}${path}: ${answer.status} ${JSON.stringify(answer.body)}`;
        this.#record.wrong.push(text);
        throw new Error(text);
      }
    }
  }
}
