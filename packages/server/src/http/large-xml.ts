import { LRUCache } from 'lru-cache';
import { WorkThread } from '../core/work-thread.ts';
import { putTogether, takeApart } from '../core/written-json.ts';
import { element, toXml, toXmlItem, XML_HEAD } from './xml.ts';
import { type XmlWork, xmlWork } from './xml-work.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly xml: LargeXml;
  }
}

/** A shorter text is written at once: that takes some milliseconds. */
const LARGE = 64 * 1024;
/** All XML that is held, with the JSON that it is of, in characters. */
const HELD_MOST = 32 * 2 ** 20;

/**
 * Writes answers as XML without holding the thread: what is large in them is written in a thread of its own. The XML of stored JSON is held by its
 * text, so that it is written once for each version.
 */
export class LargeXml {
  readonly #thread = new WorkThread<XmlWork>(new URL('./xml-thread.ts', import.meta.url));
  readonly #held = new LRUCache<string, string>({
    maxSize: HELD_MOST,
    sizeCalculation: (xml, json) => xml.length + json.length,
  });

  /** How often the thread was given work. */
  get handedOver(): number {
    return this.#thread.handedOver;
  }

  /** The same text as `toXml`. @throws {PlatformError} rate_limit.exceeded; {CallerGone} while it waits */
  async answer(payload: unknown): Promise<string> {
    return this.#write(payload, toXml, (content) => XML_HEAD + element('response', content));
  }

  /** The same text as `toXmlItem`; at once where the entry is short. @throws as `answer` */
  item(entry: unknown): string | Promise<string> {
    return this.#write(entry, toXmlItem, (content) => element('item', content ?? ''));
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  #write(
    value: unknown,
    atOnce: (value: unknown) => string,
    around: (content: string | undefined) => string,
  ): string | Promise<string> {
    const { text, written } = takeApart(value);
    if (written.reduce((sum, { length }) => sum + length, text.length) < LARGE) return atOnce(value);
    return this.#parts(text, written).then(around);
  }

  async #parts(text: string, written: readonly string[]): Promise<string | undefined> {
    const contents: string[] = [];
    for (const part of written) contents.push((await this.#stored(part)) ?? '');
    const content =
      text.length < LARGE
        ? xmlWork.content({ json: text })
        : await this.#thread.do('content', { json: text });
    return content === undefined ? undefined : putTogether(content, contents);
  }

  async #stored(json: string): Promise<string | undefined> {
    if (json.length < LARGE) return xmlWork.content({ json });
    const held = this.#held.get(json);
    if (held !== undefined) return held;
    return this.#thread.inTurn(async () => {
      // Another call may have waited for the same.
      const xml = this.#held.get(json) ?? (await this.#thread.now('content', { json }));
      if (xml !== undefined) this.#held.set(json, xml);
      return xml;
    });
  }
}
