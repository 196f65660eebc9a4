import { XML_FORBIDDEN, XML_NAME_PART, XML_NAME_START } from '@symbolon/protocol/xml-grammar';
import { WrittenJson } from '../core/written-json.ts';

/**
 * The XML form of a response (wire 4.10): root `response`; members become elements in order; an array becomes repeated
 * `item`; null and an empty array are an absent element, since clients read an empty element as text.
 */
export function toXml(payload: unknown): string {
  // A document has a root, also when there is nothing to say.
  return XML_HEAD + element('response', contentOf(payload) ?? '');
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>';

/** One entry of an array, for answers that are written in parts. */
export function toXmlItem(entry: unknown): string {
  return element('item', contentOf(entry) ?? '');
}

/** What stands between the tags of the element that a value becomes; undefined: there is no element. */
export function contentOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return escaped(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof WrittenJson) return contentOf(value.toJSON());
  if (Array.isArray(value)) {
    let items = '';
    for (const entry of value) items += toXmlItem(entry);
    return items;
  }
  // By their elements: of two members with one name the last counts.
  const elements = new Map<string, string>();
  for (const [member, child] of Object.entries(value)) {
    if (Array.isArray(child) && child.length === 0) continue;
    const content = contentOf(child);
    if (content === undefined) continue;
    const name = elementName(member);
    elements.set(name, element(name, content));
  }
  let text = '';
  for (const each of elements.values()) text += each;
  return text;
}

export const element = (name: string, content: string | undefined) =>
  content === undefined ? '' : `<${name}>${content}</${name}>`;

const escaped = (text: string) =>
  text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>'"]/g, (sign) => ENTITIES[sign] ?? sign);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&apos;',
  '"': '&quot;',
};

/** Members that are ids or keys of sources can have names that an element cannot (an NCName of Namespaces in XML 1.0). */
function elementName(member: string): string {
  if (PLAIN_NAME.test(member)) return member;
  const name = member.replace(NOT_IN_NAME, '_');
  return BEGINS_NAME.test(name) ? name : `_${name}`;
}

const PLAIN_NAME = /^[a-z][a-z_]*$/;
const FORBIDDEN = new RegExp(XML_FORBIDDEN, 'gu');
const NOT_IN_NAME = new RegExp(`(?!${XML_NAME_PART}).`, 'gsu');
const BEGINS_NAME = new RegExp(`^${XML_NAME_START}`, 'u');
