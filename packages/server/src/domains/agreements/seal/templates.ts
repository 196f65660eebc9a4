import {
  type FilledTemplate,
  PdfError,
  type PdfRunner,
  type TemplateAnalysis,
  type TemplateFilling,
} from '@symbolon/pdf';
import { PlatformError } from '../../../core/errors.ts';

/** PDF files that are looked into and filled. Each file is read in a child process with limits. */
export class Templates {
  readonly #runner: PdfRunner;

  constructor({ runner }: { runner: PdfRunner }) {
    this.#runner = runner;
  }

  /** Finds tags and form fields. @throws {PlatformError} documents.pdf_unsupported, documents.seal_unavailable */
  analyse(bytes: Uint8Array): Promise<TemplateAnalysis> {
    return answered(() => this.#runner.analyseTemplate(bytes));
  }

  /** Puts values in. @throws {PlatformError} documents.pdf_unsupported, documents.seal_unavailable */
  fill(bytes: Uint8Array, filling: TemplateFilling): Promise<FilledTemplate> {
    return answered(() => this.#runner.fillTemplate(bytes, filling));
  }
}

async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    const { code, fault, message } = error;
    throw fault === 'file'
      ? new PlatformError('documents.pdf_unsupported', {
          text: message,
          details: { reason: code },
          cause: error,
        })
      : new PlatformError('documents.seal_unavailable', {
          text: message,
          headers: { 'retry-after': '5' },
          cause: error,
        });
  }
}
