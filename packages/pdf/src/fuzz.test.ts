import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '@symbolon/testkit/pdf/facts';
import { createPki } from '@symbolon/testkit/pdf/pki';
import { objectsOf, plainPdf, writeStreams } from '@symbolon/testkit/pdf/samples';
import { rounds } from '@symbolon/testkit/thoroughness';
import { PdfError } from './errors.ts';
import { PdfRunner } from './runner/pdf-runner.ts';
import { Sealer } from './sealer.ts';
import { verifyPdf } from './verify/index.ts';

const ROUNDS = Number(process.env.PDF_FUZZ_ROUNDS ?? rounds(14, 120));
const SEED = Number(process.env.PDF_FUZZ_SEED ?? 20_261_122);
const WORDS = [
  'obj',
  'endobj',
  'stream',
  '/Kids',
  '/Pages',
  '/Type',
  '/Count',
  '/Parent',
  '0 R',
  'xref',
  '<<',
  '>>',
  '[',
  '-1',
  '4294967296',
];

/** Everything is either sealed, so that the seal verifies, or refused with a reason; the process lives on. */
test(`mutated files are sealed or refused with a reason (seed ${SEED})`, async (t) => {
  await using runner = new PdfRunner({ memory: 300 << 20 });
  const pki = createPki();
  const roots = [pki.root.certificate.raw];
  const sealer = new Sealer({ signer: pki.signer, worker: runner });
  const shapes = { pages: 3, catalog: '/AcroForm<</Fields[]>>', root: '/MediaBox[0 0 300 300]', box: '' };
  const samples = [plainPdf(shapes), writeStreams(objectsOf(shapes))];
  const random = generator(SEED);
  const counts: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    const pdf = mutated(samples[round % samples.length]!, random);
    const outcome = await sealer.seal(pdf, factsOf(pdf)).then(
      async ({ bytes }) => (await verifyPdf(bytes, { roots })).verdict,
      (error: unknown) => {
        assert.ok(error instanceof PdfError, `round ${round}: ${error}`);
        assert.equal(error.fault, 'file', `round ${round}: ${error.code}`);
        return error.code;
      },
    );
    assert.ok(
      !['changed', 'untrusted', 'extended', 'not_signed'].includes(outcome),
      `round ${round}: ${outcome}`,
    );
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  t.diagnostic(JSON.stringify(counts));
  assert.ok((counts.sealed ?? 0) > 0 && Object.keys(counts).length > 1, 'both outcomes occur');
});

function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutated(sample: Buffer, random: (below: number) => number): Buffer {
  let pdf = Buffer.from(sample);
  for (let edit = 0; edit <= random(6); edit++) {
    const at = random(pdf.length);
    const length = random(40);
    const kinds = [
      () => pdf.fill(random(256), at, Math.min(pdf.length, at + length)),
      () => Buffer.concat([pdf.subarray(0, at), pdf.subarray(Math.min(pdf.length, at + length))]),
      () =>
        Buffer.concat([
          pdf.subarray(0, at),
          pdf.subarray(random(pdf.length), random(pdf.length)),
          pdf.subarray(at),
        ]),
      () => Buffer.concat([pdf.subarray(0, at), Buffer.from(WORDS[random(WORDS.length)]!), pdf.subarray(at)]),
      () => Buffer.from(pdf.toString('latin1').replace(/\d+ 0 R/, `${random(30)} 0 R`), 'latin1'),
      () =>
        Buffer.from(
          pdf.toString('latin1').replace(WORDS[random(WORDS.length)]!, WORDS[random(WORDS.length)]!),
          'latin1',
        ),
      () => pdf.subarray(0, at + 1),
    ];
    pdf = Buffer.from(kinds[random(kinds.length)]!());
  }
  return pdf;
}
