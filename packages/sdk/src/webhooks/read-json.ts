/**
 * A JSON value of bounded depth, `undefined` for anything else. Members named `__proto__` are left out, because
 * `Object.assign` would turn them into the prototype of a copy.
 */
export function readJson(text: string, depthMost: number): unknown {
  if (isDeeper(text, depthMost)) return undefined;
  try {
    return JSON.parse(text, /__proto__|\\u/.test(text) ? withoutProto : undefined);
  } catch {
    return undefined;
  }
}

function withoutProto(name: string, value: unknown): unknown {
  return name === '__proto__' ? undefined : value;
}

/** Whether brackets outside strings nest deeper than `most`; one pass, no recursion. */
function isDeeper(text: string, most: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      if (++depth > most) return true;
    } else if (character === '}' || character === ']') depth--;
  }
  return false;
}
