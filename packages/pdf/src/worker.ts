import type { PageSize } from './file/page-tree.ts';
import type { Inspected, PreparedSeal, SealWish } from './prepare.ts';
import type { Prepared } from './sign/prepared.ts';
import type { FilledTemplate, TemplateAnalysis } from './template/analysis.ts';
import type { TemplateFilling } from './template/fill.ts';
import type { Fonts } from './text/fonts.ts';

/** All work that parses untrusted files. The runner does it in a child process. */
export interface PdfWorker {
  /** Adds no text, so it needs no fonts. @throws {PdfError} why the file cannot be sealed, or is drawn apart */
  inspect(bytes: Uint8Array): Promise<Inspected>;
  /** What draws text needs the package of fonts. @throws {PdfError} fonts_missing without it */
  prepareSeal(bytes: Uint8Array, wish: SealWish): Promise<PreparedSeal>;
  prepareCover(sealedOriginal: Uint8Array, length: number, size: PageSize, wish: SealWish): Promise<Prepared>;
  /** Finds the tags and form fields of a file. @throws {PdfError} why it cannot be read */
  analyseTemplate(bytes: Uint8Array): Promise<TemplateAnalysis>;
  /** Puts values in place of tags and into form fields. @throws {PdfError} why the file cannot be filled */
  fillTemplate(bytes: Uint8Array, filling: TemplateFilling): Promise<FilledTemplate>;
}

/** The work in this process, which loads the readers of files with the first of it. */
export function createPdfWorker(): PdfWorker {
  let opened: Promise<Fonts> | undefined;
  const fonts = () => {
    opened ??= import('./text/fonts.ts').then(({ Fonts }) => new Fonts());
    return opened;
  };
  return {
    inspect: async (bytes) => (await import('./prepare.ts')).inspect(bytes),
    prepareSeal: async (bytes, wish) =>
      (await import('./prepare.ts')).prepareSeal(bytes, wish, await fonts()),
    prepareCover: async (sealedOriginal, length, size, wish) =>
      (await import('./prepare.ts')).prepareCover(sealedOriginal, length, size, wish, await fonts()),
    analyseTemplate: async (bytes) => (await import('./template/analyse.ts')).analyseTemplate(bytes),
    fillTemplate: async (bytes, filling) =>
      (await import('./template/fill.ts')).fillTemplate(bytes, filling, await fonts()),
  };
}
