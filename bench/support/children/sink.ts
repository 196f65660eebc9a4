import { createServer } from 'node:http';
import { serving } from './answering.ts';

/** A webhook receiver that counts, and when asked remembers subjects of events and when they came. */
let count = 0;
let first = 0;
let last = 0;
let skipped = 0;
let wanted = Number.POSITIVE_INFINITY;
let reached = () => {};
let remembered: [person: string, at: number][] | undefined;

const now = () => performance.timeOrigin + performance.now();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    last = now();
    if (count === skipped) first = last;
    count++;
    remembered?.push([JSON.parse(Buffer.concat(chunks).toString()).person_user_id, last]);
    response.writeHead(200).end();
    if (count >= wanted) reached();
  });
});
await serving(
  server,
  async ({ expect, warmUp, remember }: { expect: number; warmUp: number; remember: boolean }) => {
    if (count < warmUp + expect) {
      skipped = warmUp;
      await new Promise<void>((resolve) => {
        wanted = warmUp + expect;
        reached = resolve;
      });
    }
    const result = { rate: ((expect - 1) / (last - first)) * 1000, remembered: remembered ?? [] };
    count = 0;
    skipped = 0;
    wanted = Number.POSITIVE_INFINITY;
    remembered = remember ? [] : undefined;
    return result;
  },
);
