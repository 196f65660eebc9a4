import { type CryptoKey, encodeBase64 } from '@symbolon/crypto';
import { FieldTypeRegistry, type ResolvedFieldType } from '@symbolon/field-types';
import type { FieldTypeRow } from '@symbolon/protocol';
import {
  type OpenDocument,
  PersonDocuments,
  type PersonFileContent,
  PersonFiles,
  type PersonFlows,
  type Progress,
  type Signer,
} from '@symbolon/sdk/device';
import { type Chosen, drawnAnew, envelopeOf } from '../chosen-file.ts';
import { withEnvelopes } from '../flows/envelopes.ts';
import { flowsOf, type Run } from '../flows/person-flows.ts';
import type { Submitted } from '../flows/step.ts';
import { withConfirmedKeys } from '../known-keys.ts';
import type { Proof } from '../presence.ts';
import { type Report, tellingApi } from '../uploads.ts';
import { type antiForgeryOf, call, fileApi, setAntiForgeryToken } from './api.ts';
import { keepFor } from './kept-answers.ts';
import { readKeys } from './key-store.ts';
import { keyOf } from './opening-key.ts';
import { serve } from './worker-side.ts';

/** Who asks, and what opens and sends for that person. The key cannot be read here either. */
export type Bearer = {
  personId: string;
  publicKey: string;
  key: CryptoKey | undefined;
  antiForgery: ReturnType<typeof antiForgeryOf>;
  /** Whether what is opened can be opened again without a network. */
  keeps: boolean;
};
/** What was chosen for one field. */
export type NewContent = {
  type: ResolvedFieldType;
  chosen: Chosen;
  entries: Readonly<Record<string, string>>;
};

type RunAnswers = Submitted & { run: Run };

/**
 * Files of up to 15 MiB are base64 in JSON in base64 in JSON: reading and making that takes a while, so it happens beside the
 * page.
 */
const acts = {
  async openFile({ by, id }: { by: Bearer; id: string }, report: Report): Promise<PersonFileContent> {
    await keepOpened(by);
    return withFiles(by, report, (files) => files.open(id));
  },
  saveFile: async ({ by, id, content }: { by: Bearer; id: string; content: NewContent }, report: Report) => {
    const envelope = envelopeOf(content.type, content.chosen, content.entries);
    return (await withFiles(by, report, (files) => files.save(id, envelope))).file;
  },
  uploadOf: ({ by, id, to }: { by: Bearer; id: string; to: string }, report: Report) =>
    withFiles(by, report, (files) => files.uploadOf(id, to)),
  verifyDocument: ({ by, id }: { by: Bearer; id: string }, report: Report) =>
    withFiles(by, report, (files) => files.verify(id)),
  async openDocument({ by, id }: { by: Bearer; id: string }, report: Report) {
    await keepOpened(by);
    return documentsBy(by, report).open(id);
  },
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
  /** Answers the step of a run that waits for the person. */
  answerRun: ({ by, run, answers, files, privateSlugs }: RunAnswers & { by: Bearer }, report: Report) =>
    withFlows(by, async (flows) => {
      const onProgress = ({ bytes, total }: Progress) => report(bytes / (total ?? bytes));
      const open = await flows.open(run);
      return (await flows.answer(open, withEnvelopes(answers, files), { privateSlugs, onProgress })).run;
    }),
  /** Makes the documents of a run whose last step the person answered. */
  makeDocuments: ({ by, run }: { by: Bearer; run: Run }) =>
    withFlows(by, async (flows) => void (await flows.generate(await flows.open(run)))),
  async verifySeal({ bytes }: { bytes: Uint8Array }) {
    const { verifyBytes } = await import('../verify-bytes.ts');
    return verifyBytes(bytes);
  },
  /**
   * What a PDF holds beside its pages; `damaged` where it is built so that programs may find other pages, `ambiguous` where they would
   * draw them in another way, or the file cannot be read and sealed.
   */
  async readWarnings({ bytes }: { bytes: Uint8Array }) {
    const { readWarnings } = await import('@symbolon/pdf/contents');
    return readWarnings(bytes).catch((error: unknown) =>
      Reflect.get(Object(error), 'code') === 'damaged' ? 'damaged' : 'ambiguous',
    );
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

function withFlows<T>(by: Bearer, act: (flows: PersonFlows) => Promise<T>): Promise<T> {
  setAntiForgeryToken(by.antiForgery);
  return withConfirmedKeys(by.personId, (confirmed) =>
    act(
      flowsOf(by, {
        api: fileApi,
        confirmed,
        // A picture that cannot be decoded must not keep the documents from being made.
        picture: (bytes) => drawnAnew(new Blob([new Uint8Array(bytes)])).catch(() => undefined),
      }),
    ),
  );
}

/** What is opened here is kept as the page keeps what it reads, for as long as the person stays. */
async function keepOpened({ personId, keeps }: Bearer): Promise<void> {
  const answersKey = async () => (keeps ? (await readKeys(personId))?.answersKey : undefined);
  const key = await answersKey();
  keepFor(key && { personId, answersKey: key }, async () => (await answersKey()) !== undefined);
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

serve(acts);
