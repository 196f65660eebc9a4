import {
  type CryptoKey,
  encodeBase64,
  generateOneTimeKey,
  openText,
  parseFileEnvelope,
  sealBundle,
  sealValue,
  serializeWrapper,
  type Wrapper,
} from '@symbolon/crypto';
import { FieldTypeRegistry, type ResolvedFieldType } from '@symbolon/field-types';
import type { FieldTypeRow, FlowFile } from '@symbolon/protocol';
import {
  contentOfEnvelope,
  jsonOf,
  type OpenDocument,
  PersonDocuments,
  type PersonFileContent,
  PersonFiles,
  type Signer,
  SymbolonError,
} from '@symbolon/sdk/device';
import { type antiForgeryOf, call, setAntiForgeryToken } from './api.ts';
import { type Chosen, drawnAnew, envelopeOf } from './chosen-file.ts';
import type { Source } from './flows/generate.ts';
import { withConfirmedKeys } from './known-keys.ts';
import type { Proof } from './presence.ts';
import { type Report, tellingApi } from './uploads.ts';
import { serve } from './worker-side.ts';

/** Who asks, and what opens and sends for that person. The key cannot be read here either. */
export type Bearer = {
  personId: string;
  publicKey: string;
  key: CryptoKey | undefined;
  antiForgery: ReturnType<typeof antiForgeryOf>;
};
/** What was chosen for one field. */
export type NewContent = {
  type: ResolvedFieldType;
  chosen: Chosen;
  entries: Readonly<Record<string, string>>;
};

type RunFile = {
  address: string;
  slug: string;
  content: NewContent;
  recipients: ReadonlyMap<string, string>;
};
type RunValues = { address: string; values: string; sources: readonly Source[] };

/**
 * Files of up to 15 MiB are base64 in JSON in base64 in JSON: reading and making that takes a while, so it happens beside the
 * page.
 */
const acts = {
  openFile: ({ by, id }: { by: Bearer; id: string }, report: Report): Promise<PersonFileContent> =>
    withFiles(by, report, (files) => files.open(id)),
  saveFile: async ({ by, id, content }: { by: Bearer; id: string; content: NewContent }, report: Report) => {
    const envelope = envelopeOf(content.type, content.chosen, content.entries);
    return (await withFiles(by, report, (files) => files.save(id, envelope))).file;
  },
  uploadOf: ({ by, id, to }: { by: Bearer; id: string; to: string }, report: Report) =>
    withFiles(by, report, (files) => files.uploadOf(id, to)),
  verifyDocument: ({ by, id }: { by: Bearer; id: string }, report: Report) =>
    withFiles(by, report, (files) => files.verify(id)),
  openDocument: ({ by, id }: { by: Bearer; id: string }, report: Report) => documentsBy(by, report).open(id),
  signDocument: (
    { by, opened, signer, proof }: { by: Bearer; opened: OpenDocument; signer: Signer; proof: Proof },
    report: Report,
  ) => documentsBy(by, report).sign(opened, signer, proof),
  acceptDocument: (
    { by, opened, proof }: { by: Bearer; opened: OpenDocument; proof: Proof },
    report: Report,
  ) => documentsBy(by, report).accept(opened, proof),
  /** The address at which a page may show bytes: its policy takes none from elsewhere. */
  dataUri: ({ bytes, mimeType }: { bytes: Uint8Array; mimeType: string }) =>
    `data:${mimeType};base64,${encodeBase64(bytes)}`,
  /** Seals a file to everybody who answers a run, and uploads each copy. */
  async answerRun({ by, address, slug, content, recipients }: RunFile & { by: Bearer }, report: Report) {
    setAntiForgeryToken(by.antiForgery);
    const envelope = envelopeOf(content.type, content.chosen, content.entries);
    const values: { for_user_id: string; value: { _enc_file: string } }[] = [];
    for (const [user, publicKey] of recipients) {
      const value = serializeWrapper(await sealValue(envelope, publicKey));
      const api = tellingApi((share) => report((values.length + share) / recipients.size));
      const json = { slug, for_user_id: user, value };
      const { file } = await api.json<FlowFile>({ method: 'POST', path: address, json });
      values.push({ for_user_id: user, value: { _enc_file: file } });
    }
    return values;
  },
  /** Hands values and files of a run over for the moment in which its documents are made. */
  async generate(
    { by, address, values, sources }: RunValues & { by: Bearer },
    report: Report,
  ): Promise<void> {
    setAntiForgeryToken(by.antiForgery);
    const api = tellingApi(report);
    const otk = generateOneTimeKey();
    const inputs: { source_key: string; input: string }[] = [];
    for (const { key, file, kind } of sources) {
      const path = `${address}/answer-files/${encodeURIComponent(file)}`;
      const answer = await api.send({ method: 'GET', path, accept: 'application/json' });
      const text = await openText(jsonOf(answer) as Wrapper, keyOf(by));
      const given = contentOfEnvelope(parseFileEnvelope(text)).files[0]?.bytes ?? new Uint8Array();
      // A picture that nobody can read must not keep the documents from being made.
      const bytes =
        kind === 'pdf' ? given : await drawnAnew(new Blob([new Uint8Array(given)])).catch(() => undefined);
      if (bytes === undefined) continue;
      const json = { source_key: key, value: await sealBundle(bytes, otk) };
      const { input } = await api.json<{ input: string }>({
        method: 'POST',
        path: `${address}/generate/inputs`,
        json,
      });
      inputs.push({ source_key: key, input });
    }
    const json = { otk, values: await sealBundle(values, otk), inputs };
    await api.done({ method: 'POST', path: `${address}/generate`, json });
  },
  async verifySeal({ bytes }: { bytes: Uint8Array }) {
    const { verifyBytes } = await import('./verify-bytes.ts');
    return verifyBytes(bytes);
  },
};

export type FileActs = typeof acts;

function withFiles<T>(by: Bearer, report: Report, act: (files: PersonFiles) => Promise<T>): Promise<T> {
  setAntiForgeryToken(by.antiForgery);
  return withConfirmedKeys(by.personId, (keys) =>
    act(
      new PersonFiles({
        api: tellingApi(report),
        keys,
        publicKey: () => by.publicKey,
        key: () => keyOf(by),
        fieldTypes: async () =>
          new FieldTypeRegistry(await call<FieldTypeRow[]>('GET', '/api/contact-field-types')),
      }),
    ),
  );
}

function documentsBy(by: Bearer, report: Report): PersonDocuments<Proof> {
  setAntiForgeryToken(by.antiForgery);
  return new PersonDocuments({
    api: tellingApi(report),
    key: () => keyOf(by),
    // The page has asked for it already.
    prove: async (_act, proof) => proof,
  });
}

function keyOf({ key }: Bearer): CryptoKey {
  if (key !== undefined) return key;
  throw new SymbolonError({ errorKey: 'sdk.key_locked', message: 'This browser has no key.' });
}

serve(acts);
