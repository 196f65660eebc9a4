import { createHash } from 'node:crypto';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { bufferOf } from '../buffer.ts';
import { PdfError } from '../errors.ts';

/** What a reader that has nothing in common with ours sees of a file: pdf.js, which also shows documents on our pages. */
export interface SecondReading extends AsyncDisposable {
  readonly pages: number;
  /**
   * Over everything that the first pages show and do: content, fonts, pictures, annotations, boxes, layers. Two files with
   * the same digest show the same there.
   * @param without annotations that are passed over
   * @param isRewritten whether one of the files that are compared is rewritten: then its dictionaries have another order
   * @throws {PdfError} damaged
   */
  digest(pages: number, isRewritten: boolean, without: readonly Passed[]): Promise<string>;
  /** The object of a page. @param page from 0 */
  pageNumber(page: number): Promise<number | undefined>;
}

/** An annotation by its page, from 0, and the number of its object. */
export interface Passed {
  readonly page: number;
  readonly number: number;
}

/** No object has this number. */
const NONE = 9_999_999;

/** The smaller files of the package hold the same and are loaded sooner. The second is what the first would start as a thread. */
export async function loadSecondReader(): Promise<typeof import('pdfjs-dist')> {
  const [reader] = await Promise.all([
    import('pdfjs-dist/legacy/build/pdf.min.mjs' as string),
    import('pdfjs-dist/legacy/build/pdf.worker.min.mjs' as string),
  ]);
  return reader;
}

/** @throws {PdfError} password_needed, damaged */
export async function readAgain(bytes: Uint8Array): Promise<SecondReading> {
  const { getDocument } = await loadSecondReader();
  const task = getDocument({
    data: new Uint8Array(bytes), // the reader takes the bytes away
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
  });
  try {
    const document = await task.promise;
    return {
      pages: document.numPages,
      digest: async (pages, isRewritten, without) => {
        // Entries for the first page at least: what is read of it has one form then.
        for (const [index, { page, number }] of [{ page: 0, number: NONE }, ...without].entries()) {
          const left = { deleted: true, pageIndex: page, id: `${number}R` };
          document.annotationStorage.setValue(`pdfjs_internal_editor_${index}`, left);
        }
        const copy = await document.extractPages([
          { document: null, includePages: [[0, pages - 1]] },
          { document: blank() },
        ]);
        if (!copy) throw new PdfError('damaged'); // An object that a page needs cannot be read.
        const hash = createHash('sha256');
        for (const part of described(copy)) hash.update(isRewritten ? withoutLengths(part) : part);
        return hash.update(await layersOf(document)).digest('hex');
      },
      pageNumber: async (page) => (await document.getPage(page + 1)).ref?.num,
      [Symbol.asyncDispose]: () => task.destroy(),
    };
  } catch (cause) {
    await task.destroy();
    const needsPassword = cause instanceof Error && cause.name === 'PasswordException';
    throw new PdfError(needsPassword ? 'password_needed' : 'damaged', { cause });
  }
}

/**
 * A copy begins with its catalog and its information, which has the time of copying, and ends with offsets. The flags of the
 * form say that there are signatures, which is new when there is a seal.
 */
function described(copy: Uint8Array): Uint8Array[] {
  const file = bufferOf(copy);
  const [information = -1, rest = -1] = ['\n2 0 obj\n', '\n3 0 obj\n'].map((head) => file.indexOf(head));
  const start = Number(file.toString('latin1', file.lastIndexOf('startxref') + 9).split('\n')[1]);
  if (information === -1 || rest < information || !(start > rest))
    throw new Error('The second reader writes its copies in a form that is not expected');
  const content = file.subarray(rest, start);
  const flags = content.lastIndexOf(' /SigFlags ');
  const form = flags === -1 ? [content] : [content.subarray(0, flags), content.subarray(flags + 12)];
  return [file.subarray(0, information), ...form];
}

/** How long a stream is, its data show. The entry has another place when the library wrote it. */
function withoutLengths(copy: Uint8Array): Uint8Array {
  const text = bufferOf(copy).toString('latin1');
  return Buffer.from(text.replaceAll(/ \/Length \d+/g, ''), 'latin1');
}

/** Which layers are shown on screen and in print. */
async function layersOf(document: PDFDocumentProxy): Promise<string> {
  const shown = (['display', 'print'] as const).map(async (intent) => {
    const config = await document.getOptionalContentConfig({ intent });
    return Array.from(config, ([, group]) => [Reflect.get(group, 'name'), Reflect.get(group, 'visible')]);
  });
  return JSON.stringify(await Promise.all(shown));
}

/** Copied beside another file: a copy of one file alone takes its encryption along. */
function blank(): Uint8Array {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<<>>>>',
  ];
  let file = '%PDF-1.7\n';
  const lines = objects.map((object, index) => {
    const line = `${String(file.length).padStart(10, '0')} 00000 n \n`;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return line;
  });
  const table = `xref\n0 4\n0000000000 65535 f \n${lines.join('')}`;
  return Uint8Array.from(
    Buffer.from(`${file}${table}trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`),
  );
}
