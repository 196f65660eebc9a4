import { eventually } from './eventually.ts';
import type { TestPlatform } from './platform.ts';

const PATH = '/api/person/events';

export interface HeardEvent {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely
  readonly data: any;
}

/** A device that listens to a person's event stream. */
export class Listener {
  readonly events: HeardEvent[] = [];
  /** Signs of life. */
  beats = 0;
  ended = false;
  readonly response: Response;
  readonly #stop: AbortController;

  private constructor(response: Response, stop: AbortController) {
    this.response = response;
    this.#stop = stop;
    void this.#read();
  }

  /** @param by what says who calls; with `ticket`, it goes into the address */
  static async open(
    platform: Pick<TestPlatform, 'url'>,
    by: { token?: string; ticket?: string; headers?: Record<string, string> },
  ): Promise<Listener> {
    const stop = new AbortController();
    const query = by.ticket === undefined ? '' : `?ticket=${by.ticket}`;
    const response = await fetch(`${platform.url}${PATH}${query}`, {
      headers: {
        accept: 'text/event-stream',
        ...(by.token === undefined ? {} : { authorization: `Bearer ${by.token}` }),
        ...by.headers,
      },
      signal: stop.signal,
    });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    return new Listener(response, stop);
  }

  /** Waits for so many events and gives their names. */
  async heard(count: number): Promise<string[]> {
    await eventually(`${count} events`, () => (this.events.length >= count ? true : undefined));
    return this.events.map(({ name }) => name);
  }

  /** Waits until the platform has ended the stream. */
  async end(): Promise<void> {
    await eventually('the stream ends', () => (this.ended ? true : undefined));
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const chunk of this.response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) this.#take(block);
      }
    } catch {
      // It was closed here, or its connection broke.
    }
    this.ended = true;
  }

  #take(block: string): void {
    if (block === ':') this.beats++;
    const [, name] = /^event: (.*)$/m.exec(block) ?? [];
    const [, data] = /^data: (.*)$/m.exec(block) ?? [];
    if (name !== undefined && data !== undefined) this.events.push({ name, data: JSON.parse(data) });
  }
}
