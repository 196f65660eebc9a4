import { createHash, randomBytes } from 'node:crypto';
import { CryptoKeySigner, PDF } from '@libpdf/core';
import {
  createDevelopmentChain,
  createPdfWorker,
  PdfRunner,
  type SealedFacts,
  Sealer,
  type Signer,
  signerFromPem,
} from '@symbolon/pdf';
import { objectsOf, plainPdf, stream, writeTable } from '@symbolon/testkit/pdf/samples';
import { Fonts } from '../packages/pdf/src/text/fonts.ts';
import { atLeast, atMost, type Bar, type Benchmark, figure, runAlone } from './support/report.ts';
import { rounds, sized, warmUps } from './support/setting.ts';
import { median, pairedRatio } from './support/stats.ts';

const ROUNDS = rounds(15);
/** Of a company that uploads templates that take as long as they may. */
const TEMPLATES = sized(40, 2);
const LATIN = ['Ada Lovelace', 'Łukasz Żółć'];
const FOUR_SCRIPTS = ['Ada Lovelace', 'محمد علي', 'नरेन्द्र मोदी', '王小明'];

interface Case {
  readonly name: string;
  readonly pdf: Buffer;
  readonly signers: readonly string[];
  /** Milliseconds of CPU. */
  readonly bar: number;
  readonly ours: number[];
  readonly theirs: number[];
  /** The library's signature alone, without a page. */
  readonly bare: number[];
}

/** Sealing with a page of signatures, beside the same made by the calls of the library that parses and writes. */
export const seal: Benchmark = async () => {
  const chain = createDevelopmentChain({ name: 'Symbolon', now: Date.now() });
  const signer = signerFromPem(chain.privateKey, chain.certificate);
  const sealer = new Sealer({ signer, worker: createPdfWorker() });
  const fonts = await fontsFor([...LATIN, ...FOUR_SCRIPTS]);
  const librarySigner = await signerOfLibrary(signer);
  const scan = plainPdf({
    more: new Map([[900, stream(randomBytes(sized(15_000_000, 100_000)), '/Subtype/Image', false)]]),
  });
  const cases = [
    { name: '20 pages, Latin names', pdf: plainPdf({ pages: 20 }), signers: LATIN, bar: 100 },
    {
      name: '20 pages, names in four scripts',
      pdf: plainPdf({ pages: 20 }),
      signers: FOUR_SCRIPTS,
      bar: 400,
    },
    { name: 'a scan of 15 MB', pdf: scan, signers: LATIN, bar: 400 },
    { name: '1,000 pages', pdf: plainPdf({ pages: sized(1000, 30) }), signers: LATIN, bar: 800 },
  ].map((one): Case => ({ ...one, ours: [], theirs: [], bare: [] }));
  // The first rounds warm both sides and the fonts, and are thrown away.
  for (let round = -warmUps(3); round < ROUNDS; round++) {
    for (const { pdf, signers, ours, theirs, bare } of cases) {
      const names = signers.map((name) => fresh(name, round + 3));
      const facts = factsOf(pdf, names);
      const our = await cpu(() => sealer.seal(pdf, facts));
      const their = await cpu(() => sealByLibrary(pdf, signers, fonts, librarySigner));
      const alone = await cpu(async () => (await PDF.load(pdf)).sign({ signer: librarySigner }));
      if (round < 0) continue;
      ours.push(our);
      theirs.push(their);
      bare.push(alone);
    }
  }
  const beside = await besideOthers(signer);
  return {
    title: 'Sealing a PDF',
    how: `The whole seal (digest, page of signatures with embedded fonts, PAdES B-B by P-256) in one process, fonts warm, beside @libpdf/core by its own calls: a page, as many lines of text in the same fonts (which it neither joins nor turns round), \`sign()\`; and its \`sign()\` alone; milliseconds of CPU, medians of ${ROUNDS} interleaved rounds. Then the same seal of 20 pages by the runner while another of its processes reads one decompression bomb after the other, against the runner alone, and beside ${TEMPLATES} bad templates at once: medians of wall time.`,
    table: {
      head: ['file', 'ours, ms CPU', 'library', 'ratio', 'its sign() alone'],
      rows: [
        ...cases.map(({ name, ours, theirs, bare }) => [
          name,
          figure(median(ours)),
          figure(median(theirs)),
          figure(pairedRatio(ours, theirs)),
          figure(median(bare)),
        ]),
        ['by the runner, alone, ms', figure(beside.alone), '', '', ''],
        ['by the runner, beside bombs, ms', figure(beside.withBombs), '', '', ''],
        [`by the runner, beside ${TEMPLATES} bad templates, ms`, figure(beside.withTemplates), '', '', ''],
      ],
    },
    bars: [
      ...cases.flatMap(({ name, ours, theirs, bar }): Bar[] => [
        atMost(name, median(ours), bar, ' ms'),
        atMost(`${name}, beside the library`, pairedRatio(ours, theirs), 1),
      ]),
      atLeast('seals that succeed beside bombs', beside.share * 100, 100, ' %'),
      atMost('a seal beside bad templates, beside one alone', beside.withTemplates / beside.alone, 2),
    ],
  };
};

/** Another name each round, in the same script: what was shaped before does not help. */
function fresh(name: string, round: number): string {
  const letters = Array.from(name.replaceAll(' ', ''));
  const at = round % letters.length;
  return `${name} ${[...letters.slice(at), ...letters.slice(0, at)].join('')}`;
}

async function cpu(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function factsOf(pdf: Uint8Array, names: readonly string[]): SealedFacts {
  const now = Date.now();
  return {
    documentName: 'Rental contract',
    sha256: createHash('sha256').update(pdf).digest('hex'),
    sentBy: 'Acme GmbH',
    sentAt: now - 86_400_000,
    sealedAt: now,
    acts: names.map((name) => ({ action: 'signed', name, nameVerified: true, method: 'twofa', at: now })),
  };
}

/** The font file for each name. */
async function fontsFor(names: readonly string[]): Promise<Map<string, Uint8Array>> {
  const choices = await new Fonts().load(names.map((text) => ({ text, weight: 400 })));
  return new Map(
    names.map((name) => [
      name,
      choices.for(name).of(name.codePointAt(0) ?? 0, 400)?.bytes ?? new Uint8Array(),
    ]),
  );
}

async function sealByLibrary(
  file: Uint8Array,
  names: readonly string[],
  fonts: ReadonlyMap<string, Uint8Array>,
  signer: CryptoKeySigner,
): Promise<void> {
  const pdf = await PDF.load(file);
  const page = pdf.addPage({ width: 595, height: 842 });
  const latin = pdf.embedFont(fonts.get(LATIN[0] ?? '') ?? new Uint8Array());
  let y = 780;
  const line = (text: string, font = latin) => {
    y -= 14;
    page.drawText(text, { x: 50, y, size: 9, font });
  };
  for (let row = 0; row < 8; row++) line('SHA-256 of the document 2026-11-22 12:30:45 UTC');
  for (const name of names) {
    const bytes = fonts.get(name);
    line(name, bytes && name !== LATIN[0] ? pdf.embedFont(bytes) : latin);
    for (let row = 0; row < 4; row++) line('Confirmed by two-factor authentication');
  }
  await pdf.save({ incremental: true, subsetFonts: true });
  await pdf.sign({ signer });
}

async function signerOfLibrary({ privateKey, certificate }: Signer): Promise<CryptoKeySigner> {
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
  return new CryptoKeySigner(key, certificate.raw, 'EC', 'ECDSA');
}

/** What a seal takes while bombs are read, while bad templates are looked into, and alone. */
async function besideOthers(
  signer: Signer,
): Promise<{ alone: number; withBombs: number; withTemplates: number; share: number }> {
  const bomb = writeTable(
    objectsOf().set(9, stream(Buffer.alloc(sized(512 << 20, 1 << 20)), '/Type/ObjStm/N 1/First 4')),
  );
  await using runner = new PdfRunner({ processes: 2, waiting: TEMPLATES });
  const sealer = new Sealer({ signer, worker: runner });
  const pdf = plainPdf({ pages: 20 });
  const facts = factsOf(pdf, LATIN);
  const times = async () => {
    const taken: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const from = performance.now();
      await sealer.seal(pdf, facts);
      taken.push(performance.now() - from);
    }
    return taken;
  };
  await Promise.all([times(), times()]); // warm in both processes
  const alone = median(await times());
  let over = false;
  const again = async (look: () => Promise<unknown>) => {
    while (!over) await look().catch(() => undefined);
  };
  const bombs = again(() => runner.inspect(bomb));
  const beside = await times();
  over = true;
  await bombs;
  over = false;
  const template = badTemplate();
  const templates = Array.from({ length: TEMPLATES }, () => again(() => runner.analyseTemplate(template)));
  const withTemplates = median(await times());
  over = true;
  await runner.stop();
  await Promise.all(templates);
  return { alone, withBombs: median(beside), withTemplates, share: beside.length / ROUNDS };
}

/** A page of much text, none of which is a tag: what takes longest to look into. */
function badTemplate(): Buffer {
  const line = 'BT /F1 8 Tf 10 10 Td (lorem ipsum {{ dolor {{ sit {{ amet) Tj ET\n';
  return plainPdf({ more: new Map([[11, stream(Buffer.from(line.repeat(sized(20_000, 20))), '')]]) });
}

if (import.meta.main) await runAlone(seal);
