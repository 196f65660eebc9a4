import { textOfPages } from '../flows/pdf-pages.ts';

/**
 * What a PDF says, with what stands in its form fields: to compare a document of a run with the answers before it is signed.
 * Needs the package `pdfjs-dist`, which comes with `@symbolon/pdf`. For Node; pages of browsers read with a thread of their own.
 *
 * @throws what the reader throws for a file that is damaged or wants a password
 *
 * @example
 * await person.documents.sign(opened, signer, proof, { textOf: textOfPdf });
 */
export async function textOfPdf(pdf: Uint8Array): Promise<string> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  // The reader takes the bytes that it gets.
  const task = getDocument({ data: new Uint8Array(pdf), useSystemFonts: false, verbosity: 0 });
  try {
    return await textOfPages(await task.promise);
  } finally {
    await task.destroy();
  }
}
