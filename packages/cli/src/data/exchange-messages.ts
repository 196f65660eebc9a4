import { text as textOf } from 'node:stream/consumers';
import type { Message } from '@symbolon/sdk';
import { writeLine } from '../terminal/output.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { jsonLine, printable } from '../terminal/text.ts';
import { openClient } from './open-client.ts';

type Shared = { config?: string; json?: boolean };

/** @param text `-` for what is on stdin */
export async function sendMessage(connectionId: string, text: string, options: Shared): Promise<void> {
  await using client = openClient(options.config);
  const sent = await client.messages.send(connectionId, await typed(text));
  await writeLine(options.json ? jsonLine(sent) : printable(sent.id));
}

export async function listMessages(
  connectionId: string,
  options: Shared & { limit?: number },
): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY } = options;
  await using client = openClient(options.config);
  const paint = createPaint(process.stdout);
  let count = 0;
  const pages = limit < 100 ? { pageSize: limit } : {};
  for await (const message of client.messages.list(connectionId, pages)) {
    await writeLine(options.json ? jsonLine(message) : messageLine(message, paint));
    if (++count >= limit) break;
  }
  if (count === 0 && !options.json) await writeLine(paint.dim('There are no messages yet.'));
}

export async function readMessages(connectionId: string, messageId: string, options: Shared): Promise<void> {
  await using client = openClient(options.config);
  const read = await client.messages.markRead(connectionId, messageId);
  await writeLine(options.json ? jsonLine({ read }) : `${read} read`);
}

/** @param text `-` for what is on stdin */
export async function broadcast(text: string, options: Shared): Promise<void> {
  await using client = openClient(options.config);
  const sent = await client.messages.broadcast(await typed(text));
  const { id, recipients } = sent;
  await writeLine(options.json ? jsonLine(sent) : `${printable(id)}  to ${recipients} people`);
}

export async function requestConnection(shareCode: string, options: Shared): Promise<void> {
  await using client = openClient(options.config);
  const request = await client.connectRequests.send(shareCode);
  await writeLine(options.json ? jsonLine(request) : printable(request.id));
}

async function typed(text: string): Promise<string> {
  return text === '-' ? (await textOf(process.stdin)).trimEnd() : text;
}

function messageLine({ id, direction, text, createdAt, readAt }: Message, paint: Paint): string {
  const arrow = direction === 'inbound' ? '←' : '→';
  const body = text === null ? paint.bad('not readable with this key') : printable(text);
  const state = readAt === null ? '' : paint.dim('  read');
  return `${arrow} ${body}${state}  ${paint.dim(`${createdAt}  ${printable(id)}`)}`;
}
