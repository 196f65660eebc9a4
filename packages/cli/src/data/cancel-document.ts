import { CustomerClient } from '@symbolon/sdk/customer';
import { Problem } from '../problem.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, printable } from '../terminal/text.ts';

/** Cancels a document that the company has as a customer (wire 11.4). */
export async function cancelDocument(id: string, options: { note?: string; json?: boolean }): Promise<void> {
  const client = CustomerClient.fromEnvironment();
  const connections = await client.connections();
  const connection = connections.find(({ services, documents }) =>
    [...services.flatMap((link) => link.documents), ...documents].some((document) => document.id === id),
  );
  if (connection === undefined)
    throw new Problem(`No connection of the company has a document ${printable(id)}.`);
  const cancelled = await client.cancelDocument(
    { connectionId: connection.id, documentId: id },
    options.note,
  );
  const { name, status } = cancelled;
  const paint = createPaint(process.stdout);
  await writeLine(options.json ? jsonLine(cancelled) : `${paint.bold(printable(name))}  ${status}`);
}
