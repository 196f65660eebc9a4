import { request } from 'undici';
import { AGENT, type Callable, headersOf } from './calls.ts';
import { eventually } from './eventually.ts';

const PATH = '/api/person/events';

export interface HeardEvent {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely
  readonly data: any;
}

/** A device that listens to a person's event stream. */
export class Listener implements Disposable {
  readonly events: HeardEvent[] = [];
  /** Signs of life. */
  beats = 0;
  ended = false;
  /** Of the answer. */
  readonly headers: Headers;
  readonly #stop: AbortController;
  readonly #heard: (event: HeardEvent) => void;

  private constructor(headers: Headers, stop: AbortController, heard: (event: HeardEvent) => void) {
    this.headers = headers;
    this.#stop = stop;
    this.#heard = heard;
  }

  /**
   * @param by what says who calls; with `ticket`, it goes into the address
   * @param heard called with each event at once
   */
  static async open(
    { url }: Pick<Callable, 'url'>,
    by: { token?: string; ticket?: string; headers?: Record<string, string> },
    heard: (event: HeardEvent) => void = () => {},
  ): Promise<Listener> {
    const stop = new AbortController();
    const query = by.ticket === undefined ? '' : `?ticket=${by.ticket}`;
    const { statusCode, headers, body } = await request(`${url}${PATH}${query}`, {
      headers: {
        accept: 'text/event-stream',
        ...(by.token === undefined ? {} : { authorization: `Bearer ${by.token}` }),
        ...by.headers,
      },
      dispatcher: AGENT,
      signal: stop.signal,
    });
    if (statusCode !== 200) throw new Error(`${statusCode} ${await body.text()}`);
    const listener = new Listener(headersOf(headers), stop, heard);
    void listener.#read(body.setEncoding('utf8'));
    return listener;
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

  [Symbol.dispose](): void {
    this.close();
  }

  async #read(body: AsyncIterable<string>): Promise<void> {
    let text = '';
    try {
      for await (const chunk of body) {
        text += chunk;
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
    if (name === undefined || data === undefined) return;
    const event = { name, data: JSON.parse(data) };
    this.events.push(event);
    this.#heard(event);
  }
}
