import { XML_FORBIDDEN, XML_NAME_PART, XML_NAME_START } from '@symbolon/protocol/xml-grammar';
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

/** Members that are ids or keys of sources can have names that an element cannot (an NCName of Namespaces in XML 1.0). */
function elementName(member: string): string {
  const name = member.replace(NOT_IN_NAME, '_');
  return BEGINS_NAME.test(name) ? name : `_${name}`;
}

const FORBIDDEN = new RegExp(XML_FORBIDDEN, 'gu');
const NOT_IN_NAME = new RegExp(`(?!${XML_NAME_PART}).`, 'gsu');
const BEGINS_NAME = new RegExp(`^${XML_NAME_START}`, 'u');
