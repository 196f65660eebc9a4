import { XMLBuilder } from 'fast-xml-parser';

const builder = new XMLBuilder({ ignoreAttributes: true, suppressEmptyNode: false, format: false });

/**
 * The XML form of a response (wire 4.10): root `response`; members become elements in order; an array
 * becomes repeated `item`; null is an absent element.
 */
export function toXml(payload: unknown): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${builder.build({ response: layout(payload) })}`;
}

function layout(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length === 0 ? '' : { item: value.map((entry) => layout(entry) ?? '') };
  if (typeof value === 'object' && value !== null) {
    const members: [string, unknown][] = [];
    for (const [name, member] of Object.entries(value)) {
      if (member === null || member === undefined) continue;
      members.push([elementName(name), layout(member)]);
    }
    return members.length === 0 ? '' : Object.fromEntries(members);
  }
  if (typeof value === 'string') return value.replace(FORBIDDEN, '\uFFFD');
  return value === null || value === undefined ? undefined : String(value);
}

/** Characters that XML 1.0 cannot carry in any form (section 2.2). */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Ids used as member names may begin with a digit, which a name may not. */
function elementName(name: string): string {
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}
