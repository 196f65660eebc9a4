import { LRUCache } from 'lru-cache';
import { joined, LONG, type LongText } from '../core/long-text.ts';
import { WorkThread } from '../core/work-thread.ts';
import { piecesOf, takeApart } from '../core/written-json.ts';
import { element, toXml, toXmlItem, XML_HEAD } from './xml.ts';
import { type XmlWork, xmlWork } from './xml-work.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly xml: LargeXml;
  }
}

/** All XML that is held, with the JSON that it is of, in bytes and characters. */
const HELD_MOST = 32 * 2 ** 20;

/**
 * Writes answers as XML without holding the thread: what is large in them is written in a thread of its own. The XML of stored JSON is held by its
 * text, so that it is written once for each version.
 */
export class LargeXml {
  readonly #thread = new WorkThread<XmlWork>(new URL('./xml-thread.ts', import.meta.url));
  readonly #held = new LRUCache<string, Uint8Array>({
    maxSize: HELD_MOST,
    sizeCalculation: (xml, json) => xml.length + json.length,
  });

  /** How often the thread was given work. */
  get handedOver(): number {
    return this.#thread.handedOver;
  }

  /** The same text as `toXml`. @throws {PlatformError} rate_limit.exceeded; {CallerGone} while it waits */
  async answer(payload: unknown): Promise<string | LongText> {
    return this.#write(payload, toXml, (content) => XML_HEAD + element('response', content));
  }

  /** The same text as `toXmlItem`; at once where the entry is short. @throws as `answer` */
  item(entry: unknown): string | Promise<string | LongText> {
    return this.#write(entry, toXmlItem, (content) => element('item', content ?? ''));
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  #write(
    value: unknown,
    atOnce: (value: unknown) => string,
    around: (content: string | undefined) => string,
  ): string | Promise<string | LongText> {
    const { text, written } = takeApart(value);
    if (written.reduce((sum, { length }) => sum + length, text.length) < LONG) return atOnce(value);
    return this.#pieces(text, written, around).then(joined);
  }

  async #pieces(text: string, written: readonly string[], around: (content: string | undefined) => string) {
    const contents: (string | Uint8Array)[] = [];
    for (const part of written) contents.push((await this.#stored(part)) ?? '');
    if (text.length < LONG) return piecesOf(around(xmlWork.content({ json: text })), contents);
    return piecesOf(around(await this.#thread.do('content', { json: text })), contents);
  }

  async #stored(json: string): Promise<string | Uint8Array | undefined> {
    if (json.length < LONG) return xmlWork.content({ json });
    const held = this.#held.get(json);
    if (held !== undefined) return held;
    return this.#thread.inTurn(async () => {
      // Another call may have waited for the same.
      const xml = this.#held.get(json) ?? (await this.#thread.now('bytes', { json }));
      this.#held.set(json, xml);
      return xml;
    });
  }
}
