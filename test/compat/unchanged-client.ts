import { XMLParser } from 'fast-xml-parser';
import { type Dispatcher, request } from 'undici';

/*
 * HTTP as client libraries in the field speak it: their own spellings of Accept, bodies and content types. Nothing here
 * knows our SDK or our schemas.
 */

/** How clients ask for JSON, or for nothing in particular. */
export const JSON_ACCEPTS: readonly (string | undefined)[] = [
  undefined,
  '*/*',
  'application/json',
  'application/json, text/plain, */*',
  'application/json; charset=utf-8',
  'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'application/json, application/xml',
  // The wire knows one name for XML.
  'text/xml',
];
/** How clients ask for XML. */
export const XML_ACCEPTS: readonly string[] = [
  'application/xml',
  'application/xml; charset=utf-8',
  'Application/XML',
  'application/xml, */*;q=0.1',
  'application/xml;q=0.9, application/json;q=0.5',
];

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** One call as a client makes it; `body` goes as it is. */
export async function call(
  url: string,
  method: string,
  given: { token?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> {
  const { statusCode, headers, body } = await request(url, {
    method: method as Dispatcher.HttpMethod,
    headers: { ...given.headers, ...(given.token && { authorization: `Bearer ${given.token}` }) },
    ...(given.body !== undefined && { body: given.body }),
  });
  return { status: statusCode, headers, text: await body.text() };
}

const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false, trimValues: false });

/** What a client reads from an answer, in one form for both formats: all scalars are text in XML. */
// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers freely
export function read(answer: RawAnswer): any {
  const type = String(answer.headers['content-type']);
  if (type.startsWith('application/json')) return JSON.parse(answer.text);
  if (!type.startsWith('application/xml')) throw new Error(`neither JSON nor XML: ${type}`);
  return parser.parse(answer.text).response;
}

/** The entries of a list: an array in JSON; in XML no element, one `item` or several. */
// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers freely
export function entries(list: any): any[] {
  if (list === undefined) return [];
  if (Array.isArray(list)) return list;
  return Array.isArray(list.item) ? list.item : [list.item];
}
