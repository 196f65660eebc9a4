import { XML_FORBIDDEN, XML_NAME_PART, XML_NAME_START } from '@symbolon/protocol/xml-grammar';

/** Texts, arrays of elements named `item`, and objects. The XML form has no other types. */
export type XmlValue = string | XmlValue[] | { [name: string]: XmlValue };

/**
 * Reads the platform's XML: root `response`, nested elements, text, the five entities and character references (wire
 * 4.10). Everything else that XML can do (DOCTYPE and its entities, attributes, CDATA, comments,
 * processing instructions) is never sent and is refused with whatever is not well-formed: the answer is `undefined`.
 *
 * Why not a library: docs/decisions/0008. Every member is an own property, since `constructor` is a legal slug;
 * `__proto__` is left out.
 */
export function readXml(source: string, depthMost: number): XmlValue | undefined {
  // Section 2.4: text must not contain `]]>`.
  if (FORBIDDEN.test(source) || source.includes(']]>')) return undefined;
  // Section 2.11 of XML 1.0: all line ends become a line feed.
  const text = source.replace(/\r\n?/g, '\n').replace(DECLARATION, '').trim();
  const open: OpenElement[] = [];
  let end = 0;
  for (const { 0: token, 1: closing, 2: name, 3: empty, index } of text.matchAll(TOKEN)) {
    if (index !== end) return undefined;
    end += token.length;
    const parent = open.at(-1);
    if (name === undefined) {
      if (!parent) return undefined;
      parent.text += token;
    } else if (closing) {
      const element = open.pop();
      if (element?.name !== name || empty) return undefined;
      const value = contentOf(element);
      const outer = open.at(-1);
      if (value === undefined) return undefined;
      if (!outer) return name === ROOT && end === text.length ? value : undefined;
      outer.members.push([name, value]);
    } else if (empty) {
      if (!parent || open.length >= depthMost) return undefined;
      parent.members.push([name, '']);
    } else if (open.push({ name, text: '', members: [] }) > depthMost) {
      return undefined;
    }
  }
  return undefined;
}

function contentOf({ text, members }: OpenElement): XmlValue | undefined {
  if (members.length === 0) return decodeText(text);
  if (text.trim() !== '') return undefined;
  if (members.every(([name]) => name === 'item')) return members.map(([, value]) => value);
  const names = new Set(members.map(([name]) => name));
  if (names.size !== members.length) return undefined;
  return Object.fromEntries(members.filter(([name]) => name !== '__proto__'));
}

/** One pass, so that `&amp;lt;` is the text `&lt;`. */
function decodeText(text: string): string | undefined {
  let isSound = true;
  const decoded = text.replace(/&([^;&]*;?)/g, (_, reference: string) => {
    const character = ENTITIES.get(reference) ?? referenced(reference);
    isSound &&= character !== undefined;
    return character ?? '';
  });
  return isSound ? decoded : undefined;
}

function referenced(reference: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));$/.exec(reference) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (!(code <= 0x10ffff)) return undefined;
  const character = String.fromCodePoint(code);
  return FORBIDDEN.test(character) ? undefined : character;
}

type OpenElement = { name: string; text: string; members: [string, XmlValue][] };

const ROOT = 'response';
const DECLARATION =
  /^<\?xml version="1\.[0-9]"(?: encoding="[Uu][Tt][Ff]-8")?(?: standalone="(?:yes|no)")?\s*\?>/;
const TOKEN = new RegExp(`<(/?)(${XML_NAME_START}${XML_NAME_PART}*)\\s*(/?)>|[^<]+`, 'gu');
const FORBIDDEN = new RegExp(XML_FORBIDDEN, 'u');
const ENTITIES = new Map([
  ['amp;', '&'],
  ['lt;', '<'],
  ['gt;', '>'],
  ['quot;', '"'],
  ['apos;', "'"],
]);
