import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { generateKeyPair, importPrivateKey, openBytes, parseFileEnvelope } from '@symbolon/crypto';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { digestOf, issueContract } from '@symbolon/testkit/actors/contracts';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { PlatformError } from '../../../core/errors.ts';
import { customersDocument } from '../documents/customer-store.ts';
import { partsOf } from '../documents/store.ts';
import type { DocumentActRow } from '../documents/tables.ts';
import { partsFor } from '../documents/views.ts';
import type { Seals } from '../seal/seals.ts';
import { Completion } from './completion.ts';
import { plainFileOf } from './plain-pdf.ts';
import { sealedCopy } from './sealed-copy.ts';

const MIB = 2 ** 20;

/** How often others had a turn while something was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let done = false;
  const count = () => {
    turns++;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  await work();
  done = true;
  return turns;
}

test('a copy holds the file, and others have a turn for each part that is encrypted', async () => {
  const { publicKey, privateKey } = await generateKeyPair();
  const bytes = Buffer.alloc(4 * MIB, 'abcdefg');
  let copy: Awaited<ReturnType<typeof sealedCopy>> | undefined;
  const turns = await turnsDuring(async () => {
    copy = await sealedCopy({ bytes, name: 'Größe.pdf' }, publicKey);
  });
  assert.ok(turns > 20, `${turns} turns`);
  const pieces: Buffer[] = [];
  for await (const piece of copy?.open() ?? []) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces);
  assert.equal(text.length, copy?.bytes);
  const opened = await openBytes(text.toString(), await importPrivateKey(privateKey));
  const envelope = parseFileEnvelope(Buffer.from(opened).toString());
  assert.ok(envelope.kind === 'file');
  assert.equal(envelope.file.originalName, 'Größe.pdf');
  assert.ok(bytes.equals(envelope.file.bytes()));
});

test('a file is decoded and compared in parts', async () => {
  const bytes = Buffer.alloc(4 * MIB + 1, 'abcdefg');
  const base64 = Buffer.from(bytes.toString('base64'));
  const pieces = Array.from({ length: Math.ceil(base64.length / 65_536) }, (_, index) =>
    base64.subarray(index * 65_536, (index + 1) * 65_536),
  );
  const text = {
    bytes: base64.length,
    open: () => Readable.from(pieces, { objectMode: false }),
    discard: async () => {},
  } as unknown as Parameters<typeof plainFileOf>[0];
  let file: Buffer | undefined;
  const turns = await turnsDuring(async () => {
    file = await plainFileOf(text, digestOf(bytes));
  });
  assert.ok(turns > 20, `${turns} turns`);
  assert.ok(file?.equals(bytes));
});

onEachEngine('completing acts of one company', (platform) => {
  test('files that take long hold up their company alone', async () => {
    const PDF = plainPdf({ pages: 1 });
    const { database, ids, config, blobs, seals } = platform().context;
    /** Never ends for the company with slow files. */
    const asked: string[] = [];
    const held = {
      seal: (pdf: Buffer, facts: Parameters<Seals['seal']>[1]) => {
        asked.push(facts.sentBy ?? '');
        return facts.sentBy === 'Slow' ? new Promise(() => {}) : seals.seal(pdf, facts);
      },
    } as unknown as Seals;
    const completion = new Completion({ database, ids, config, blobs, seals: held });
    const sealingOf = async (name: string) => {
      const service = await createService(platform(), await registerCompany(platform(), name));
      const token = await dataToken(platform(), service);
      const person = await registerPerson(platform());
      const target = { connection_id: await connect(platform(), person, service) };
      const { id } = await issueContract(platform(), { token, target, pdf: PDF });
      const document = await customersDocument(database.reader, person.id, id);
      assert.ok(document);
      const parts = partsFor(document, await partsOf(database.reader, [document]));
      const act = { action: 'signed', method: 'biometric', created_at: 1 } as DocumentActRow;
      return () => completion.seal(document, parts, act, PDF);
    };
    const slow = await sealingOf('Slow');
    const quick = await sealingOf('Quick');
    // Whichever comes last: two are sealed, and as many as may wait do.
    const refused = await Promise.race(
      Array.from({ length: 35 }, () => slow().catch((error: unknown) => error)),
    );
    assert.ok(refused instanceof PlatformError);
    assert.deepEqual([refused.key, refused.status], ['rate_limit.exceeded', 429]);
    assert.equal((await quick())?.copies.length, 2);
    assert.deepEqual(asked, ['Slow', 'Slow', 'Quick']);
  });
});
