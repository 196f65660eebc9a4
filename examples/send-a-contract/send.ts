/**
 * Sends a contract to a person who is connected, and stores the sealed file once it is signed.
 *
 *   SYMBOLON_CONFIG=client.json node examples/send-a-contract/send.ts lease.pdf 019bd0f2-8c00-7000-8000-000000000000
 */
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Change, ChangePump, DataClient, NotFoundError } from '@symbolon/sdk';

/** Sends a PDF that the person is to sign; gives the id of the contract. */
export async function sendContract(client: DataClient, file: string, userId: string): Promise<string> {
  const bytes = await readFile(file);
  const { id } = await client.documents.create({
    name: basename(file, '.pdf'),
    kind: 'agreement',
    to: { userId },
    requiresSignature: true,
    content: { file: { name: basename(file), mimeType: 'application/pdf', bytes } },
  });
  return id;
}

/** Stores the sealed file of a contract that was signed. It may see a change twice after a crash: it stores the same file. */
export async function handleChange(client: DataClient, change: Change, folder: string): Promise<void> {
  const { event, status, action, documentId } = change;
  if (event !== 'document_status_changed' || documentId === undefined) return;
  console.log(`${documentId}: ${status}${typeof action === 'string' ? `, ${action}` : ''}`);
  // A later change of the same contract takes the place of this one on the feed: what counts is what the contract is now.
  const document = await client.documents.get(documentId).catch((error: unknown) => {
    // It was deleted, or is the company's own copy of what a flow made, which is not on this list.
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
  if (!document?.sealed_at) return;
  const { bytes } = await client.documents.sealedFile(documentId);
  await writeFile(`${folder}/${documentId}.pdf`, bytes);
}

if (import.meta.main) {
  const [file, userId] = process.argv.slice(2);
  if (file === undefined || userId === undefined) throw new Error('Usage: send.ts FILE.pdf PERSON_ID');
  const client = DataClient.fromEnvironment();
  console.log(`sent ${await sendContract(client, file, userId)}`);
  const pump = new ChangePump({
    client,
    file: 'contracts.db',
    handle: (change) => handleChange(client, change, '.'),
    onError: (error) => console.error(error),
  });
  pump.start();
  process.once('SIGINT', async () => {
    await pump.stop();
    await client.close();
  });
}
