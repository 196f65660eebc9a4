import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { PartedPage } from '../core/parted-page.ts';
import { toXmlItem, XML_HEAD } from './xml.ts';

/**
 * Answers with a page: `{total, items}`. A page of several parts is streamed: one part is read, serialised and written, and
 * the next one waits until the client has taken it. What fails on the way breaks the connection, for the status has gone
 * out by then.
 * @param Item the schema of an item; `checkResponses` holds each one against it
 */
export async function sendPage<Schema extends TSchema>(
  reply: FastifyReply,
  Item: Schema,
  { total, parts }: PartedPage<Static<Schema>>,
): Promise<{ total: number; items: Static<Schema>[] }> {
  const [first, ...more] = parts;
  if (first === undefined) return { total, items: [] };
  if (more.length === 0) return { total, items: [...(await first())] };
  const xml = String(reply.getHeader('content-type')).startsWith('application/xml');
  if (!xml) reply.type('application/json; charset=utf-8');
  const texts = xml
    ? {
        begin: `${XML_HEAD}<response><total>${total}</total><items>`,
        item: toXmlItem,
        between: '',
        end: '</items></response>',
      }
    : {
        begin: `{"total":${total},"items":[`,
        item: reply.compileSerializationSchema(Item as never) as (item: unknown) => string,
        between: ',',
        end: ']}',
      };
  // The framework writes a stream as it comes.
  return Readable.from(written(parts, texts), { objectMode: false }) as never;
}

async function* written(
  parts: PartedPage<unknown>['parts'],
  {
    begin,
    item,
    between,
    end,
  }: { begin: string; item: (item: unknown) => string; between: string; end: string },
): AsyncGenerator<string> {
  let before = begin;
  for (const part of parts) {
    for (const each of await part()) {
      yield before + item(each);
      before = between;
    }
    // A client that takes everything at once would otherwise have the thread for the whole page.
    await turn();
  }
  yield before === begin ? begin + end : end;
}
