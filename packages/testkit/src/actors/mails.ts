import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestPlatform } from '../platform/platform.ts';

/** The mails in the outbox folder to an address, oldest first: head and text. Their HTML twins say the same. */
export async function mailsTo(platform: TestPlatform, address: string): Promise<string[]> {
  const folder = join(platform.dataDir, 'outbox');
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(names.sort().map((name) => readFile(join(folder, name), 'utf8')));
  // Domains are put into lower case on the way out.
  const to = `to: ${address}`.toLowerCase();
  return mails
    .filter((mail) => mail.split(/\r?\n/).some((line) => line.toLowerCase() === to))
    .map((mail) => {
      const { head, text, html } = partsOf(mail);
      assertTwins(text, html);
      return `${head}\r\n\r\n${text}`;
    });
}

/** The head of a mail, and its two parts. */
export function partsOf(mail: string): { head: string; text: string; html: string } {
  const [head = '', rest] = splitHead(mail);
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(head) ?? [];
  assert.match(head, /^Content-Type: multipart\/alternative;/m);
  const parts = rest.split(`--${boundary}`).slice(1, -1);
  const part = (type: string) => {
    const found = parts.map(splitHead).find(([of]) => of.includes(`Content-Type: ${type}`));
    assert.ok(found, `There is no part ${type}.`);
    const [of, raw] = found;
    return /^Content-Transfer-Encoding: quoted-printable/m.test(of) ? unquoted(raw) : raw;
  };
  assert.equal(parts.length, 2);
  return { head, text: part('text/plain'), html: part('text/html') };
}

function splitHead(text: string): [head: string, rest: string] {
  const at = text.indexOf('\r\n\r\n');
  return [text.slice(0, at), text.slice(at + 4)];
}

/** RFC 2045 6.7. */
function unquoted(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** Both say the same words; what can be followed in one stands in the other; nothing is loaded or run. */
export function assertTwins(text: string, html: string): void {
  assert.equal(wordsOf(shownText(html)), wordsOf(text));
  for (const [, address = ''] of html.matchAll(/href="([^"]*)"/g))
    assert.ok(text.includes(plain(address)), `The text has no ${address}.`);
  assert.doesNotMatch(html, /<(?:script|img|link|style|iframe|form)|\ssrc=|url\(/i);
}

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).join(' ');
const shownText = (html: string) =>
  plain((html.split('<body')[1] ?? '').replace(/^[^>]*>/, '').replaceAll(/<[^>]*>/g, ' '));
const plain = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
