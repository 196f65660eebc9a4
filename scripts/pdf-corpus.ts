/**
 * Seals PDF files that others made, and lets others judge the result:
 * `npm run pdf-corpus -- FOLDER [--gather] [--first N] [--only TEXT] [--pixels N] [--json FILE]`.
 * `--gather` fills the folder, which lies outside of the repository, from packages of Debian and npm. Fails when a clean file is
 * refused as damaged, or when anything is wrong with a sealed one. Needs qpdf, pdfsig, pdftoppm and mutool.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDevelopmentChain, PdfError, PdfRunner, Sealer, signerFromPem } from '@symbolon/pdf';
import { verifyPdf } from '@symbolon/pdf/verify';
import { gather } from './pdf-corpus/gather.ts';
import { isClean, pixelsDiffer, signatureProblem } from './pdf-corpus/judges.ts';
import { parsedArguments, refuse } from './usage.ts';

/**
 * Clean files that readers draw apart: fields without appearances or filled in, boxes that contradict themselves, upright text without its
 * font, dashes that begin before their line, a picture with too few data, characters of a font that is nowhere,
 * notes over fields, a font in the file that does not tell its codes, one with two tables of codes, one with two glyphs of one name,
 * notes and an attached file without appearances.
 */
const APART = [
  ...['qpdf-form-in', 'qpdf-form-out', 'pypdf-form_evince', 'pypdf-libreoffice-form'],
  ...['qpdf-annotations', 'qpdf-annotations-out', '6707c963e8cc71a3-qpdf-in', 'PDFBOX-4372'],
  ...['pdfminer-simple3', 'texlive-humanities-doc-expex-doc', 'pikepdf-1biticc'],
  ...['pdfminer-issue-00369-excel', 'Acroform-PDFBOX-2333', 'Liste732004001452'],
  ...['libpdfbox2-java-custom-render-demo', 'qpdf-source2'],
  ...['pypdf-commented', 'pypdf-attachment'],
];

/** What a clean file may be refused for: it has no page, is protected, or shows other things to other people. */
const RIGHTLY: ReadonlySet<string> = new Set([
  ...['certified', 'changes_forbidden', 'layers', 'no_pages', 'password_needed', 'signed_encrypted', 'xfa'],
]);

interface Row {
  readonly file: string;
  readonly clean: boolean;
  /** `sealed`, or why not. */
  readonly outcome: string;
  readonly pages: number;
  readonly milliseconds: number;
  readonly problems: readonly string[];
  readonly message?: string;
}

const USAGE = 'npm run pdf-corpus -- FOLDER [--gather] [--first N] [--only NAME] [--pixels N] [--json FILE]';
const { values: asked, positionals } = parsedArguments(USAGE, {
  allowPositionals: true,
  options: {
    gather: { type: 'boolean', default: false },
    first: { type: 'string' },
    only: { type: 'string', default: '' },
    pixels: { type: 'string', default: '100' },
    json: { type: 'string' },
  },
});
const [folder] = positionals;
if (folder === undefined) refuse('Name a folder.', USAGE);
if (asked.gather) gather(folder);

const now = Date.now();
const chain = createDevelopmentChain({ name: 'Corpus', now });
const roots = [Buffer.from(chain.root.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')];
const desk = mkdtempSync(join(tmpdir(), 'pdf-corpus-'));
try {
  const rows = await sealAll(join(folder, 'files'));
  if (asked.json) writeFileSync(asked.json, JSON.stringify(rows, null, 1));
  report(rows);
} finally {
  rmSync(desk, { recursive: true });
}

async function sealAll(place: string): Promise<Row[]> {
  // What other programs of the machine take is no fault of a file.
  await using runner = new PdfRunner({ deadline: 120_000 });
  const sealer = new Sealer({ signer: signerFromPem(chain.privateKey, chain.certificate), worker: runner });
  const names = readdirSync(place)
    .sort()
    .filter((name) => name.includes(asked.only));
  const rows: Row[] = [];
  let left = Number(asked.pixels);
  for (const file of names.slice(0, Number(asked.first ?? names.length))) {
    const path = join(place, file);
    const row = await tried(runner, sealer, { file, path, withPixels: left > 0 });
    if (row.outcome === 'sealed') left--;
    rows.push(row);
    if (row.problems.length > 0) console.error(`${file}: ${row.problems.join('; ')}`);
    if (rows.length % 50 === 0) console.error(`${rows.length} of ${names.length}`);
  }
  return rows;
}

async function tried(
  runner: PdfRunner,
  sealer: Sealer,
  { file, path, withPixels }: { file: string; path: string; withPixels: boolean },
): Promise<Row> {
  const bytes = readFileSync(path);
  const clean = isClean(path);
  const began = performance.now();
  const base = { file, clean, pages: 0 };
  const facts = {
    ...{
      documentName: file,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      sentAt: now,
      sealedAt: now,
    },
    acts: [{ action: 'signed', name: 'Ada Lovelace', nameVerified: true, at: now } as const],
  };
  const inspected = await runner.inspect(bytes).then(({ pages }) => ({ pages }), codeOf);
  try {
    const { bytes: sealed, kind } = await sealer.seal(bytes, facts);
    const milliseconds = Math.round(performance.now() - began);
    const isApart = APART.some((name) => file.includes(name)); // Sealing does not draw.
    const problems = 'code' in inspected && !isApart ? [`sealed, but inspected: ${inspected.code}`] : [];
    const { verdict, originalIntact } = await verifyPdf(sealed, { roots });
    const isIntact = kind.rewritten === null ? originalIntact === true : originalIntact !== false;
    if (verdict !== 'sealed' || !isIntact) problems.push(`verified: ${verdict}, intact ${originalIntact}`);
    const after = join(desk, 'sealed.pdf');
    writeFileSync(after, sealed);
    if (clean && !isClean(after)) problems.push('qpdf finds the sealed file no longer clean');
    problems.push(...signatureProblem(after));
    // What is signed already is attached to pages of its own.
    if (withPixels && !kind.signed) problems.push(...pixelsDiffer(path, after, kind.pages, desk));
    return { ...base, outcome: 'sealed', pages: kind.pages, milliseconds, problems };
  } catch (error) {
    const { code, message } = codeOf(error);
    const milliseconds = Math.round(performance.now() - began);
    const isRight = RIGHTLY.has(code) || (code === 'ambiguous' && APART.some((name) => file.includes(name)));
    const problems = clean && !isRight ? [`a clean file is refused: ${code}`] : [];
    if (!('code' in inspected) || inspected.code !== code)
      problems.push(`refused as ${code}, but not when inspected`);
    return { ...base, outcome: code, milliseconds, problems, message };
  }
}

function codeOf(error: unknown): { code: string; message: string } {
  if (error instanceof PdfError) return { code: error.code, message: error.message };
  throw error;
}

function report(rows: readonly Row[]): void {
  const outcomes = [...new Set(rows.map(({ outcome }) => outcome))].sort();
  const count = (outcome: string, clean: boolean) =>
    String(rows.filter((row) => row.outcome === outcome && row.clean === clean).length);
  console.log('| outcome | clean files | files in which qpdf finds faults |\n|---|---|---|');
  for (const outcome of outcomes)
    console.log(`| ${outcome} | ${count(outcome, true)} | ${count(outcome, false)} |`);
  const times = rows.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  console.log(`${rows.length} files, median ${times[times.length >> 1]} ms, slowest ${times.at(-1)} ms`);
  const wrong = rows.filter(({ problems }) => problems.length > 0);
  for (const { file, problems, message = '' } of wrong)
    console.log(`- ${file}: ${problems.join('; ')} ${message}`);
  if (wrong.length > 0) process.exitCode = 1;
}
