import { Child } from './child.ts';
import { FORWARDED } from './platform.ts';

/** Of a form that comes through a reverse proxy. */
export const FORM_HEADERS = {
  'content-type': 'application/x-www-form-urlencoded',
  accept: 'application/json',
  ...FORWARDED,
};

export interface LoadRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Instead of one body: each is sent once, and the connection ends with the last. */
  readonly bodies?: readonly string[];
}

export interface Load {
  /** One connection for each, which repeats it. */
  readonly lanes: readonly LoadRequest[];
  readonly seconds: number;
  /** Each connection stops after so many, whatever the time. */
  readonly requests?: number;
  /**
   * The generator never sleeps. One that does is woken by every small answer, and on a virtual machine it is the server
   * that pays for the wake-up.
   */
  readonly awake?: boolean;
}

/** The same request over several connections. */
export function lanes(count: number, request: LoadRequest): LoadRequest[] {
  return Array.from({ length: count }, () => request);
}

export interface LoadResult {
  readonly requests: number;
  /** Answers that were no 2xx. */
  readonly failed: number;
  readonly bodyBytes: number;
  readonly elapsedMs: number;
  readonly latenciesMs: readonly number[];
  /** Of one core: near 1 the generator itself would be the limit. */
  readonly cpuShare: number;
}

/** A load generator in a process of its own. */
export class LoadGenerator {
  readonly #child: Child<null>;

  private constructor(child: Child<null>) {
    this.#child = child;
  }

  static async start(): Promise<LoadGenerator> {
    return new LoadGenerator(await Child.start<null>('load.ts'));
  }

  /** @throws Error when an answer was no 2xx: a rate of refusals is not a result */
  async run(load: Load): Promise<LoadResult> {
    const result = await this.#child.ask<LoadResult>(load);
    if (result.failed > 0) throw new Error(`${result.failed} of ${result.requests} answers were no 2xx.`);
    return result;
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}
