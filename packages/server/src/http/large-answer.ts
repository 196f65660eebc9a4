import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { FastifyReply } from 'fastify';
import type { StoredBlob } from '../core/blobs.ts';
import { toXml, XML_HEAD } from './xml.ts';

/** A member of an answer whose text is in a blob. */
export interface LargeValue {
  /** Opens the blob; called twice when its length as text must be counted. */
  readonly open: () => Promise<StoredBlob>;
  /**
   * What the member becomes: `wrapper` an object, from the text of a wrapper as `LargeText` stores it; `wrapper_text` that
   * text as a string; `text` a string of any text.
   */
  readonly form: 'wrapper' | 'wrapper_text' | 'text';
}

/** What an encrypted value takes beside the texts of its three large members, in each form. */
const AS_JSON = ['{"_enc":1,"k":"', '","iv":"', '","d":"', '"}'] as const;
const AS_XML = ['<_enc>1</_enc><k>', '</k><iv>', '</iv><d>', '</d>'] as const;
const lengthOf = (parts: readonly string[]) => parts.join('').length;

/**
 * Sends an answer with one large member, in pieces, with its length. What fails on the way breaks the connection.
 * @param members the others, in front of it
 */
export async function sendLarge(
  reply: FastifyReply,
  members: Readonly<Record<string, unknown>>,
  [name, value]: readonly [name: string, value: LargeValue],
): Promise<Readable> {
  const xml = isXml(reply);
  if (!xml) reply.type('application/json; charset=utf-8');
  const [before, after] = xml
    ? aroundXml(members, name)
    : aroundJson(members, name, value.form !== 'wrapper');
  return send(reply, value, xml, [before, after]);
}

/** Sends an answer that is an encrypted value and nothing else, by `Accept`. @param open its text as `LargeText` stores it */
export function sendWrapper(reply: FastifyReply, open: LargeValue['open']): Promise<Readable> {
  const xml = isXml(reply);
  if (!xml) reply.type('application/json; charset=utf-8');
  return send(reply, { open, form: 'wrapper' }, xml, xml ? [XML_BEGIN, XML_END] : ['', '']);
}

/** Whether the answer is the XML form of it. */
export const isXml = (reply: FastifyReply) =>
  String(reply.getHeader('content-type')).startsWith('application/xml');

async function send(
  reply: FastifyReply,
  value: LargeValue,
  xml: boolean,
  [before, after]: readonly [before: string, after: string],
): Promise<Readable> {
  const recode = recoderOf(value.form, xml);
  const blob = await value.open();
  const bytes = await lengthAs(value, blob.bytes, xml, recode);
  reply.header('content-length', Buffer.byteLength(before) + bytes + Buffer.byteLength(after));
  const answer = Readable.from(written(before, blob.stream, recode, after), { objectMode: false });
  // Also when the stream is never read.
  answer.once('close', () => blob.stream.destroy());
  return answer;
}

type Recode = (pieces: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

async function* written(
  before: string,
  stream: Readable,
  recode: Recode,
  after: string,
): AsyncGenerator<Buffer> {
  yield Buffer.from(before);
  yield* recode(stream);
  yield Buffer.from(after);
}

const PLACE = 'the large value';

function aroundJson(members: object, name: string, isText: boolean): [string, string] {
  const text = JSON.stringify({ ...members, [name]: PLACE });
  const end = text.length - `"${PLACE}"}`.length;
  return isText ? [`${text.slice(0, end)}"`, '"}'] : [text.slice(0, end), '}'];
}

function aroundXml(members: object, name: string): [string, string] {
  const text = toXml({ ...members, [name]: PLACE });
  const at = text.lastIndexOf(PLACE);
  return [text.slice(0, at), text.slice(at + PLACE.length)];
}

function recoderOf(form: LargeValue['form'], xml: boolean): Recode {
  if (form === 'wrapper') return xml ? wrapperAsXml : (pieces) => pieces;
  const escapeText = xml ? escapeXml : escapeJson;
  return (pieces) => escaped(pieces, escapeText);
}

/** The number of bytes that the value takes in the answer. */
async function lengthAs(value: LargeValue, bytes: number, xml: boolean, recode: Recode): Promise<number> {
  if (value.form === 'wrapper') return xml ? bytes - lengthOf(AS_JSON) + lengthOf(AS_XML) : bytes;
  // Of a wrapper, nothing but the quotes around names and texts is escaped.
  if (value.form === 'wrapper_text') {
    const skeleton = AS_JSON.join('');
    const escapedSkeleton = xml ? escapeXml(skeleton) : escapeJson(skeleton);
    return bytes - skeleton.length + escapedSkeleton.length;
  }
  let length = 0;
  for await (const piece of recode((await value.open()).stream)) length += piece.length;
  return length;
}

/** What text is within the quotes of a JSON string. */
export const escapeJson = (text: string) => JSON.stringify(text).slice(1, -1);

export async function* escaped(
  pieces: AsyncIterable<Buffer>,
  escapeText: (text: string) => string,
): AsyncGenerator<Buffer> {
  const decoder = new StringDecoder('utf8');
  for await (const piece of pieces) yield Buffer.from(escapeText(decoder.write(piece)));
}

async function* wrapperAsXml(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: string | undefined = '';
  let last = Buffer.alloc(0);
  for await (const piece of pieces) {
    let rest: Buffer = piece;
    if (head !== undefined) {
      head += piece.toString('latin1');
      const at = head.indexOf(AS_JSON[2]);
      if (at < 0) continue;
      rest = Buffer.from(head.slice(at + AS_JSON[2].length), 'latin1');
      const [k = '', iv = ''] = head.slice(AS_JSON[0].length, at).split(AS_JSON[1]);
      yield Buffer.from(`${AS_XML[0]}${k}${AS_XML[1]}${iv}${AS_XML[2]}`);
      head = undefined;
    }
    const both = Buffer.concat([last, rest]);
    const end = Math.max(0, both.length - AS_JSON[3].length);
    if (end > 0) yield both.subarray(0, end);
    last = both.subarray(end);
  }
  yield Buffer.from(AS_XML[3]);
}

const XML_BEGIN = `${XML_HEAD}<response>`;
const XML_END = '</response>';

/** What text is in XML, as `toXml` writes it. */
function escapeXml(text: string): string {
  return text === '' ? '' : toXml(text).slice(XML_BEGIN.length, -XML_END.length);
}
