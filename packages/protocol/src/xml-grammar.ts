/**
 * What the platform's XML has of XML 1.0 (fifth edition), for the side that writes and the side that reads. Parts of regular expressions
 * with the flag `u`.
 */

/** A character that XML cannot carry in any form (section 2.2). */
export const XML_FORBIDDEN = '[^\\t\\n\\r\\u{20}-\\u{D7FF}\\u{E000}-\\u{FFFD}\\u{10000}-\\u{10FFFF}]';

const startsName =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}' +
  '\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';

/** A character that begins a name of an element, and one that goes on: an NCName of Namespaces in XML 1.0. */
export const XML_NAME_START = `[${startsName}]`;
export const XML_NAME_PART = `[${startsName}.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}-]`;
