import { XMLBuilder } from 'fast-xml-parser';
import { WrittenJson } from '../core/written-json.ts';

const builder = new XMLBuilder({ ignoreAttributes: true, suppressEmptyNode: false, format: false });

/**
 * The XML form of a response (wire 4.10): root `response`; members become elements in order; an array becomes repeated
 * `item`; null and an empty array are an absent element, since clients read an empty element as text.
 */
export function toXml(payload: unknown): string {
  return XML_HEAD + builder.build({ response: layout(payload) });
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>';

/** One entry of an array, for answers that are written in parts. */
export function toXmlItem(entry: unknown): string {
  return builder.build({ item: layout(entry) ?? '' });
}

function layout(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length === 0 ? '' : { item: value.map((entry) => layout(entry) ?? '') };
  if (value instanceof WrittenJson) return layout(value.toJSON());
  if (typeof value === 'object' && value !== null) {
    const members: [string, unknown][] = [];
    for (const [name, member] of Object.entries(value)) {
      if (member === null || member === undefined || (Array.isArray(member) && member.length === 0)) continue;
      members.push([elementName(name), layout(member)]);
    }
    return members.length === 0 ? '' : Object.fromEntries(members);
  }
  if (typeof value === 'string') return value.replace(FORBIDDEN, '\uFFFD');
  return value === null || value === undefined ? undefined : String(value);
}

/** Characters that XML 1.0 cannot carry in any form (section 2.2). */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Members that are ids or keys of sources can have names that an element cannot (an NCName of Namespaces in XML 1.0). */
function elementName(member: string): string {
  const name = member.replace(NOT_IN_NAME, '_');
  return BEGINS_NAME.test(name) ? name : `_${name}`;
}

const NAME_START =
  'A-Z_a-z\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{2FF}\u{370}-\u{37D}\u{37F}-\u{1FFF}\u{200C}-\u{200D}\u{2070}-\u{218F}' +
  '\u{2C00}-\u{2FEF}\u{3001}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFFD}\u{10000}-\u{EFFFF}';
const NOT_IN_NAME = new RegExp(`[^${NAME_START}.0-9\u{B7}\u{300}-\u{36F}\u{203F}-\u{2040}-]`, 'gu');
const BEGINS_NAME = new RegExp(`^[${NAME_START}]`, 'u');
