import type { PdfKind } from './file/open.ts';
import type { PageSize } from './file/page-tree.ts';
import { inspect, type PreparedSeal, prepareCover, prepareSeal, type SealWish } from './prepare.ts';
import type { Prepared } from './sign/container.ts';
import { analyseTemplate } from './template/analyse.ts';
import type { FilledTemplate, TemplateAnalysis } from './template/analysis.ts';
import { fillTemplate, type TemplateFilling } from './template/fill.ts';
import { Fonts } from './text/fonts.ts';

/** All work that parses untrusted files. The runner does it in a child process. */
export interface PdfWorker {
  /** @throws {PdfError} why the file cannot be sealed */
  inspect(bytes: Uint8Array): Promise<PdfKind>;
  prepareSeal(bytes: Uint8Array, wish: SealWish): Promise<PreparedSeal>;
  prepareCover(sealedOriginal: Uint8Array, length: number, size: PageSize, wish: SealWish): Promise<Prepared>;
  /** Finds the tags and form fields of a file. @throws {PdfError} why it cannot be read */
  analyseTemplate(bytes: Uint8Array): Promise<TemplateAnalysis>;
  /** Puts values in place of tags and into form fields. @throws {PdfError} why the file cannot be filled */
  fillTemplate(bytes: Uint8Array, filling: TemplateFilling): Promise<FilledTemplate>;
}

/** The work in this process. */
export function createPdfWorker(): PdfWorker {
  const fonts = new Fonts();
  return {
    inspect: (bytes) => inspect(bytes, fonts),
    prepareSeal: (bytes, wish) => prepareSeal(bytes, wish, fonts),
    prepareCover: (sealedOriginal, length, size, wish) =>
      prepareCover(sealedOriginal, length, size, wish, fonts),
    analyseTemplate,
    fillTemplate: (bytes, filling) => fillTemplate(bytes, filling, fonts),
  };
}
