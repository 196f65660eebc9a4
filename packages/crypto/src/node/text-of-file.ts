/**
 * The text of a file that a person or a tool wrote: UTF-8, or UTF-16 where its byte order mark says so, as Windows PowerShell
 * writes. The mark is left out, and what cannot be read becomes U+FFFD.
 */
export function textOfFile(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes);
}
