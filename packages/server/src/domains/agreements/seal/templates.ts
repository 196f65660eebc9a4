import type { FilledTemplate, TemplateAnalysis, TemplateFilling } from '@symbolon/pdf';
import { PdfError, type PdfRunner } from '@symbolon/pdf/runner';
import { PlatformError } from '../../../core/errors.ts';
import { FairTurns } from '../../../core/fair-turns.ts';

/** Templates of one company that are looked into at a time, and that wait: files that take long hold up their company alone. */
const OF_ONE_COMPANY = { perParty: 1, waitingMost: 8 };

/** PDF files that are looked into and filled. Each file is read in a child process with limits. */
export class Templates {
  readonly #runner: PdfRunner;
  readonly #turns: FairTurns;

  constructor({ runner, processes }: { runner: PdfRunner; processes: number }) {
    this.#runner = runner;
    this.#turns = new FairTurns({ ...OF_ONE_COMPANY, inAll: processes });
  }

  /**
   * Finds tags and form fields, in turns with other companies.
   * @throws {PlatformError} documents.pdf_unsupported, documents.seal_unavailable, rate_limit.exceeded
   */
  analyse(companyId: string, bytes: Uint8Array): Promise<TemplateAnalysis> {
    return this.#turns.run(companyId, () => answered(() => this.#runner.analyseTemplate(bytes)));
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
