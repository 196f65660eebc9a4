import { ANSWER_MOST_MS, CLIENT_PATIENCE_MS } from '@symbolon/testkit/limits';
import {
  type Answer as HttpAnswer,
  type Call as HttpCall,
  PlatformAt,
} from '@symbolon/testkit/platform/calls';

/** `refused`: nothing was done, by the answer's own words. `doubt`: its outcome is unknown. */
export interface Answer {
  readonly outcome: 'done' | 'refused' | 'doubt';
  /** 0: there was no answer. */
  readonly status: number;
  readonly key: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any;
}

/** An answer that no call may ever get, or none within the time in which every call is answered. */
export interface WrongAnswer {
  readonly kind: '500' | 'no error_key' | 'no Retry-After' | 'hang';
  readonly text: string;
}

export interface Call extends Pick<HttpCall, 'token' | 'body'> {
  readonly method: string;
  readonly path: string;
}

const IN_DOUBT: ReadonlySet<string> = new Set(['region.unavailable', 'db.unavailable']);

/** Makes calls as a client that waits for each answer, and judges the form of the answers. */
export class Caller {
  readonly wrong: WrongAnswer[] = [];
  /** How often each answer that is no success came, by status and key. */
  readonly refusals = new Map<string, number>();
  /** While a process is frozen on purpose its calls are not answered: that is no wrong answer. */
  mayHang = false;

  async call(base: string, { method, path, ...call }: Call): Promise<Answer> {
    const began = performance.now();
    try {
      const signal = AbortSignal.timeout(CLIENT_PATIENCE_MS);
      const answer = await new PlatformAt(base).call(method, path, { ...call, signal });
      this.#judgeTime(began, method, path, `${answer.status} ${answer.text.slice(0, 80)}`);
      return this.#judge(`${method} ${path}`, answer);
    } catch (error) {
      this.#judgeTime(began, method, path, String((error as Error).message));
      this.#count('no answer');
      return { outcome: 'doubt', status: 0, key: undefined, body: undefined };
    }
  }

  #judge(call: string, { status, headers, text, body }: HttpAnswer): Answer {
    if (status < 300) return { outcome: 'done', status, key: undefined, body };
    const key = typeof body?.error_key === 'string' ? body.error_key : undefined;
    this.#count(`${status} ${key ?? 'without error_key'}`);
    const tell = (kind: WrongAnswer['kind']) =>
      this.wrong.push({ kind, text: `${call}: ${status} ${text.slice(0, 200)}` });
    if (status === 500) tell('500');
    if (key === undefined) tell('no error_key');
    if (status === 503 && !headers.has('retry-after')) tell('no Retry-After');
    // An unexpected failure says nothing of what was done before it; nor does a region that did not answer another one, nor a
    // database that did not answer a commit.
    const isDoubt = status === 500 || key === undefined || IN_DOUBT.has(key);
    return { outcome: isDoubt ? 'doubt' : 'refused', status, key, body };
  }

  #judgeTime(began: number, method: string, path: string, ending: string): void {
    const ms = performance.now() - began;
    if (ms < ANSWER_MOST_MS || this.mayHang) return;
    this.wrong.push({ kind: 'hang', text: `${method} ${path}: ${Math.round(ms)} ms, then ${ending}` });
  }

  #count(what: string): void {
    this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
  }
}
