import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Document, DocumentStatus } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { type DataClient, FileKeyStore, type NewDocument, NotFoundError } from '@symbolon/sdk';
import { SHARED, writeNew } from '../files/whole-file.ts';
import { Problem } from '../problem.ts';
import { reportSeal } from '../seal/verify-file.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { jsonLine, printable } from '../terminal/text.ts';
import { clientOptions, openClient } from './open-client.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};
const KINDS = ['document', 'agreement', 'subscription'] as const;

export async function sendDocument(
  path: string,
  options: {
    config?: string;
    to?: string;
    name?: string;
    kind: string;
    sign?: boolean;
    accept?: boolean;
    json?: boolean;
  },
): Promise<void> {
  const name = basename(path);
  const mimeType = TYPES[extname(name).toLowerCase()];
  if (mimeType === undefined) {
    throw new Problem(`${name} is not one of: ${Object.keys(TYPES).join(', ').replaceAll('.', '')}.`, {
      exitCode: 2,
    });
  }
  const kind = KINDS.find((known) => known === options.kind);
  if (kind === undefined) throw new Problem(`The kind is one of: ${KINDS.join(', ')}.`, { exitCode: 2 });
  const bytes = await readFile(path);
  if (bytes.length > limits.fileBytes)
    throw new Problem(`A file can have at most ${limits.fileBytes / 2 ** 20} MiB.`);
  await using client = openClient(options.config);
  const document: NewDocument = {
    name: options.name ?? name,
    kind,
    content: { file: { name, mimeType, bytes } },
    requiresSignature: options.sign,
    requiresAcceptance: options.accept,
    ...(options.to === undefined
      ? {}
      : { to: { userId: await customerOf(client, options.to, options.config) } }),
  };
  const created = await client.documents.create(document);
  const paint = createPaint(process.stdout);
  await writeLine(options.json ? jsonLine(created) : documentText(created, paint));
  const { warnings = [] } = created;
  if (!options.json && warnings.length > 0)
    await writeLine(paint.dim(`Beside its pages it holds: ${warnings.join(', ').replaceAll('_', ' ')}`));
}

export async function listDocuments(options: {
  config?: string;
  to?: string;
  status?: string;
  limit?: number;
  json?: boolean;
}): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY } = options;
  await using client = openClient(options.config);
  const paint = createPaint(process.stdout);
  let count = 0;
  const documents = client.documents.list({
    ...(options.to === undefined ? {} : { userId: await customerOf(client, options.to, options.config) }),
    // The platform refuses what is no status.
    ...(options.status === undefined ? {} : { status: options.status as DocumentStatus }),
  });
  for await (const document of documents) {
    await writeLine(options.json ? jsonLine(document) : documentText(document, paint));
    count++;
    if (count >= limit) break;
  }
  if (count === 0 && !options.json) await writeLine(paint.dim('There are no documents.'));
}

/** Opens the sealed PDF of a document, keeps it where asked, and says what its seal says. */
export async function verifyDocument(
  id: string,
  options: { config?: string; out?: string; root?: string; json?: boolean },
): Promise<void> {
  await using client = openClient(options.config);
  const { bytes } = await client.documents.sealedFile(id);
  if (options.out !== undefined) await writeNew(options.out, bytes, SHARED);
  await reportSeal(bytes, options);
}

/** The id of a customer who is named by it, or by the connection as `symbolon connections` shows it. */
async function customerOf(client: DataClient, id: string, config: string | undefined): Promise<string> {
  try {
    return (await client.connection(id, { decrypt: false })).personId;
  } catch (error) {
    if (error instanceof NotFoundError && !(await isConnection(id, config))) return id;
    throw error;
  }
}

/** A connection that a command has seen is no person, whatever key the platform then names for its id. */
async function isConnection(id: string, config: string | undefined): Promise<boolean> {
  const { knownKeys, knownKeysFile } = clientOptions(config);
  const store = knownKeys ?? (knownKeysFile === undefined ? undefined : new FileKeyStore(knownKeysFile));
  const name = `connection ${id}`;
  return store !== undefined && Object.hasOwn(await store.read([name]), name);
}

function documentText(document: Document, paint: Paint): string {
  const { name, kind, status, share_code: code, id, created_at: at } = document;
  return [
    paint.bold(printable(name)),
    `${kind} ${status}`,
    code === null ? paint.dim('all customers') : paint.name(printable(code)),
    paint.dim(`${at.slice(0, 10)}  ${id}`),
  ].join('  ');
}
