import type { Connection } from '@symbolon/sdk';
import { writeLine } from '../terminal/output.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { showProgress } from '../terminal/progress.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';
import { openClient } from './open-client.ts';
import { valueJson, valueLine } from './value-text.ts';

/** Reads all connections a page at a time; nothing but the page in hand is kept in memory. */
export async function listConnections(options: {
  config?: string;
  json?: boolean;
  limit?: number;
  sealed?: boolean;
}): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY } = options;
  await using client = openClient(options.config);
  // A bar and a list on the same terminal would write over each other.
  const progress = process.stdout.isTTY ? undefined : showProgress('connections');
  const paint = createPaint(process.stdout);
  let count = 0;
  try {
    const connections = client.connections({
      ...(options.sealed && { decrypt: false }),
      ...(limit < 500 && { pageSize: Math.max(2, limit) }),
      onTotal: (total) => progress?.total(Math.min(total, limit)),
    });
    for await (const connection of connections) {
      await writeLine(
        options.json ? jsonLine(connectionJson(connection)) : connectionText(connection, paint),
      );
      count++;
      progress?.done(count);
      if (count >= limit) break;
    }
  } finally {
    progress?.stop();
  }
  if (count === 0 && !options.json) await writeLine(paint.dim('No connections yet.'));
}

function connectionJson(connection: Connection): object {
  const values = Object.entries(connection.values).map(([slug, value]) => [slug, valueJson(value)]);
  return { ...connection, values: Object.fromEntries(values) };
}

function connectionText(connection: Connection, paint: Paint): string {
  const { displayName, shareCode, connectedAt, id, values, pendingConsent } = connection;
  const head = [
    paint.bold(printable(displayName)),
    paint.name(printable(shareCode ?? '')),
    paint.dim(`since ${connectedAt.slice(0, 10)}  ${printable(id)}`),
  ].join('  ');
  const entries = Object.entries(values);
  const answered = entries.filter(([, { value, unreadable }]) => value !== null || unreadable);
  const width = Math.max(0, ...answered.map(([slug]) => slug.length));
  const lines = answered.map(
    ([slug, value]) => `  ${pad(printable(slug), width)}  ${valueLine(value, paint)}`,
  );
  const open = entries.flatMap(([slug, { value, unreadable }]) =>
    value === null && !unreadable ? [slug] : [],
  );
  if (open.length > 0) lines.push(paint.dim(`  not answered: ${printable(open.join(', '))}`));
  const pending =
    pendingConsent.length > 0 ? [paint.dim(`  asked for: ${printable(pendingConsent.join(', '))}`)] : [];
  return [head, ...lines, ...pending, ''].join('\n');
}
