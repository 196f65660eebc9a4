import type {
  PersonDocument,
  PersonDocumentList,
  PersonField,
  PersonMessage,
  PersonMessageList,
} from '@symbolon/protocol';
import { SymbolonError } from '@symbolon/sdk/device';
import { allFields } from '../fields.ts';
import { call, fileApi } from '../inner/api.ts';
import type { Exported, ExportedFile } from './format.ts';

const id = encodeURIComponent;
const MESSAGES_AT_ONCE = 100;

/** Lists that come in one answer, by the member that they stand in. */
const LISTS: Readonly<Record<string, readonly [path: string, member: string]>> = {
  connections: ['/api/person/connections', 'connections'],
  requests_for_more: ['/api/person/consents', 'consents'],
  requests_to_connect: ['/api/person/connect-requests', 'connect_requests'],
  blocked_services: ['/api/person/blocked-services', 'blocked_services'],
  flow_runs: ['/api/person/flow-runs', 'runs'],
  sign_ins: ['/api/person/sign-ins', 'sign_ins'],
  enrolments: ['/api/person/two-factor/enrollments', 'enrollments'],
  drafts: ['/api/person/drafts', 'items'],
  account_history: ['/api/person/history', 'items'],
  sessions: ['/api/person/sessions', 'items'],
  passkeys: ['/api/person/passkeys', 'items'],
};

export interface Collected extends Pick<Exported, 'records' | 'files' | 'missing'> {
  readonly bytes: ReadonlyMap<string, Uint8Array>;
}

/**
 * Everything that the platform holds about the person, as it is stored. What cannot be read is named, and does not keep the
 * rest from being taken along.
 *
 * @param tell how much of it is done, from 0 to 1
 */
export async function collect(tell: (share: number) => void): Promise<Collected> {
  const records: Record<string, unknown[]> = {};
  const files: ExportedFile[] = [];
  const bytes = new Map<string, Uint8Array>();
  const missing: { what: string; reason: string }[] = [];
  const attempt = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      missing.push({ what, reason: error instanceof SymbolonError ? error.errorKey : String(error) });
      return undefined;
    }
  };
  const keep = async (what: string, file: ExportedFile, path: string) => {
    const found = await attempt(what, () => bytesAt(path));
    if (found === undefined) return;
    files.push(file);
    bytes.set(file.path, found);
  };

  for (const [what, [path, member]] of Object.entries(LISTS)) {
    const found = await attempt(
      what,
      async () => (await call<Record<string, unknown[]>>('GET', path))[member],
    );
    records[what] = found ?? [];
  }
  tell(0.1);
  const fields = (await attempt('fields', allFields)) ?? [];
  records.fields = fields;
  const documents = (await attempt('documents', documentList)) ?? [];
  const threads = (records.connections ?? []) as { connection_id: string; service: { name: string } }[];
  const work = [
    ...fields.filter(hasFile).map((field) => () => {
      const sealed = field.file?.sealed ?? true;
      const file = { path: `files/field-${field.id}`, label: field.label, sealed };
      return keep(`file of ${field.label}`, file, `/api/person/fields/${id(field.id)}/file`);
    }),
    ...documents.map((listed) => async () => {
      const { name } = listed;
      const address = `/api/person/documents/${id(listed.id)}`;
      const document = await attempt(`document ${name}`, () => call<PersonDocument>('GET', address));
      records.documents = [...(records.documents ?? []), document ?? listed];
      if (listed.payload_kind === 'json') return;
      const file = { path: `files/document-${listed.id}`, label: name, sealed: !listed.broadcast };
      await keep(`file of ${name}`, file, `${address}/file`);
    }),
    ...threads.map(({ connection_id, service }) => async () => {
      const messages = await attempt(`messages of ${service.name}`, () => messagesOf(connection_id));
      records.messages = [
        ...(records.messages ?? []),
        ...(messages ?? []).map((message) => ({ connection_id, service: service.name, ...message })),
      ];
    }),
  ];
  for (const [index, each] of work.entries()) {
    await each();
    tell(0.1 + (0.9 * (index + 1)) / work.length);
  }
  return { records, files, bytes, missing };
}

const hasFile = ({ file }: PersonField) => file !== undefined;

const documentList = async () => (await call<PersonDocumentList>('GET', '/api/person/documents')).documents;

async function bytesAt(path: string): Promise<Uint8Array> {
  return (await fileApi.send({ method: 'GET', path, accept: '*/*' })).bytes;
}

async function messagesOf(connectionId: string): Promise<PersonMessage[]> {
  const all: PersonMessage[] = [];
  for (;;) {
    const before = all.at(-1)?.message_id;
    const query = new URLSearchParams({
      limit: String(MESSAGES_AT_ONCE),
      ...(before !== undefined && { before }),
    });
    const path = `/api/person/connections/${id(connectionId)}/messages?${query}`;
    const { items } = await call<PersonMessageList>('GET', path);
    all.push(...items);
    if (items.length < MESSAGES_AT_ONCE) return all;
  }
}
