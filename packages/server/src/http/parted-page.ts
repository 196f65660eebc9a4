import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { LongText } from '../core/long-text.ts';
import type { Part, PartedPage } from '../core/parted-page.ts';
import { isXml } from './large-answer.ts';
import { XML_HEAD } from './xml.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer of this route is a part of another one: it is made at once, not streamed. */
    whole: boolean;
  }
}

/** Answers with a page: `{total, items}`. See `sendList`. */
export function sendPage<Schema extends TSchema>(
  reply: FastifyReply,
  Item: Schema,
  { total, parts }: PartedPage<Static<Schema>>,
): Promise<{ total: number; items: Static<Schema>[] }> {
  return sendList(reply, Item, { head: { total }, member: 'items', parts });
}

/**
 * Answers with a list. When it has several parts it is streamed: one part is read, serialised and written, and the next one
 * waits until the client has taken it. What fails on the way breaks the connection, for the status has gone out by then.
 * @param Item the schema of an item; `checkResponses` holds each one against it
 * @param list the member of the answer that is the list, and the numbers before it
 */
export async function sendList<Schema extends TSchema, Answer>(
  reply: FastifyReply,
  Item: Schema,
  list: {
    readonly head?: Readonly<Record<string, number>>;
    readonly member: string;
    readonly parts: readonly Part<Static<Schema>>[];
  },
): Promise<Answer> {
  const { head = {}, member, parts } = list;
  if (parts.length <= 1 || reply.request.whole) {
    const items: Static<Schema>[] = [];
    for (const part of parts) {
      if (items.length > 0) await turn();
      items.push(...(await part()));
    }
    return { ...head, [member]: items } as Answer;
  }
  const numbers = Object.entries(head);
  const xml = isXml(reply);
  if (!xml) reply.type('application/json; charset=utf-8');
  const texts: Texts = xml
    ? {
        begin: `${XML_HEAD}<response>${numbers.map(([name, value]) => `<${name}>${value}</${name}>`).join('')}<${member}>`,
        // For this caller, whoever asks the stream for more.
        item: AsyncLocalStorage.bind((item) => reply.server.xml.item(item)),
        between: '',
        end: `</${member}></response>`,
      }
    : {
        begin: `{${numbers.map(([name, value]) => `"${name}":${value},`).join('')}"${member}":[`,
        item: reply.compileSerializationSchema(Item as never) as Texts['item'],
        between: ',',
        end: ']}',
      };
  // The framework writes a stream as it comes.
  return Readable.from(written(parts, texts), { objectMode: false }) as Answer;
}

interface Texts {
  readonly begin: string;
  readonly item: (item: unknown) => string | LongText | Promise<string | LongText>;
  readonly between: string;
  readonly end: string;
}

/** Characters that are written in one turn of the event loop. */
const PIECE = 256 * 1024;

async function* written(
  parts: readonly Part<unknown>[],
  { begin, item, between, end }: Texts,
): AsyncGenerator<string | Uint8Array> {
  let before = begin;
  for (const part of parts) {
    let text = '';
    for (const each of await part()) {
      const written = item(each);
      const whole = typeof written === 'string' ? written : await written;
      text += before;
      before = between;
      if (whole instanceof LongText) {
        yield text;
        text = '';
        yield* whole.slices();
      } else text += whole;
      // Each may be as large as a part.
      if (text.length < PIECE) continue;
      yield text;
      text = '';
      await turn();
    }
    if (text !== '') yield text;
    // A client that takes everything at once would otherwise have the thread for the whole page.
    await turn();
  }
  yield before === begin ? begin + end : end;
}
