/** Few enough for the arguments of one call. */
const CHUNK = 8192;

/** Bytes as a text in which each character is a byte; works in browsers too, whose own decoder of that name takes other characters. */
export function latin1Of(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let text = '';
  const end = Math.min(to, bytes.length);
  for (let at = from; at < end; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + CHUNK)));
  return text;
}
