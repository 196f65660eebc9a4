import { InvalidRequestError } from '../http/errors.ts';

/**
 * What a contract holds beside its pages, and a party should know of: parts that are shown and hidden, scripts, actions that open
 * something outside, send what stands in fields or change what is shown, fields that can be filled in, files, films and sound, and what
 * is printed in another way than it is shown.
 */
export type ContractWarning =
  | 'attachments'
  | 'changes'
  | 'form_fields'
  | 'launch'
  | 'layers'
  | 'media'
  | 'print_effects'
  | 'screen_only'
  | 'scripts'
  | 'submit';

/** What is used of the package `@symbolon/pdf`. */
interface PdfPackage {
  readonly PdfRunner: new () => Runner;
  readonly PdfError: new (code: never) => Error & { readonly code: string; readonly fault: string };
}
interface Runner {
  inspect(bytes: Uint8Array): Promise<{ readonly warnings: Iterable<ContractWarning> }>;
  stop(): Promise<void>;
}

/** It need not be installed, so bundlers must not look for it. */
const PACKAGE = '@symbolon/pdf';

/** Readers of PDF files look for the header in so many first bytes. */
const HEADER_WITHIN = 1024;

/**
 * Looks at contracts before they are sent, as the platform does when they are signed: it gets them sealed, so it would find out
 * too late. They are read in a child process with limits, which begins with the first one and keeps nothing alive.
 */
export class ContractCheck {
  #opened: Promise<{ runner: Runner; PdfError: PdfPackage['PdfError'] } | undefined> | undefined;

  /**
   * @param isSigned whether it is to be signed; what is only accepted can be any file
   * @returns undefined for what is no PDF, and without the package `@symbolon/pdf`: then nothing has looked
   * @throws InvalidRequestError `documents.pdf_unsupported`: it cannot be shown to everybody alike, or not be sealed; `details.reason`
   */
  async warnings(
    { name, bytes }: { name: string; bytes: Uint8Array },
    isSigned: boolean,
  ): Promise<ContractWarning[] | undefined> {
    const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADER_WITHIN));
    if (!head.includes('%PDF-')) {
      if (isSigned) throw refusal(name, 'not_pdf', 'Only a PDF can be signed.');
      return undefined;
    }
    this.#opened ??= open();
    const opened = await this.#opened;
    if (opened === undefined) return undefined;
    const { runner, PdfError } = opened;
    try {
      return [...(await runner.inspect(bytes)).warnings];
    } catch (error) {
      if (error instanceof PdfError && error.fault === 'file')
        throw refusal(name, error.code, error.message, error);
      throw error;
    }
  }

  async close(): Promise<void> {
    await (await this.#opened)?.runner.stop();
  }
}

async function open() {
  try {
    const { PdfRunner, PdfError } = (await import(
      /* webpackIgnore: true */ /* @vite-ignore */ PACKAGE
    )) as PdfPackage;
    return { runner: new PdfRunner(), PdfError };
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function refusal(name: string, reason: string, text: string, cause?: unknown): InvalidRequestError {
  const message = `${name} could not be sealed once it is signed. ${text}`;
  return new InvalidRequestError({
    errorKey: 'documents.pdf_unsupported',
    message,
    details: { reason },
    cause,
  });
}
