/**
 * The one error class of this package. Branch on `code`, which is stable; the text is for people. `fault` says who
 * can do something about it: a `file` error stays whatever one tries, a `platform` error may pass.
 */
export class PdfError extends Error {
  override readonly name = 'PdfError';
  readonly code: PdfErrorCode;
  readonly fault: 'file' | 'platform';

  constructor(code: PdfErrorCode, options: { message?: string; cause?: unknown } = {}) {
    super(
      options.message ?? TEXTS[code][1],
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.fault = TEXTS[code][0];
  }
}

/** Every code a {@link PdfError} can carry. */
export type PdfErrorCode = keyof typeof TEXTS;

const TEXTS = {
  not_pdf: ['file', 'The file is not a PDF that can be read.'],
  no_pages: ['file', 'The PDF has no page that can be found.'],
  too_many_pages: ['file', 'The PDF has too many pages.'],
  damaged: ['file', 'The PDF is damaged. Open it in a reader and save it again.'],
  damaged_signed: [
    'file',
    'The PDF is signed and damaged: repairing it would break its signatures. Get an intact copy.',
  ],
  expands_too_far: ['file', 'The PDF holds compressed data that expands too far.'],
  password_needed: ['file', 'The PDF opens with a password only. Remove the password.'],
  changes_forbidden: ['file', 'The PDF is protected against changes. Remove the protection.'],
  signed_encrypted: ['file', 'The PDF is signed and encrypted, and cannot be sealed as it is.'],
  xfa: ['file', 'The PDF holds an XFA form, which can change what it shows. Print it to a plain PDF.'],
  layers: [
    'file',
    'The PDF shows other content in print, or at another size, than on screen: by layers, annotations or pictures. Print it to a plain PDF.',
  ],
  ambiguous: [
    'file',
    'Programs show parts of the PDF in different ways, so not everybody would see the same. Print it to a plain PDF.',
  ],
  signed: ['file', 'The PDF is signed: filling it in would break its signatures.'],
  certified: ['file', 'The PDF is certified so that nothing may be added, not even a signature.'],
  digest_mismatch: ['platform', 'The file is not the one that was signed: its digest differs.'],
  deadline: ['file', 'The PDF takes too long to read.'],
  memory: ['file', 'The PDF takes too much memory to read.'],
  crashed: ['platform', 'The process that reads PDF files stopped. Try again.'],
  busy: ['platform', 'Too many PDF files wait to be read. Try again later.'],
  stopped: ['platform', 'The service stops. Try again later.'],
  certificate_unusable: ['platform', 'The certificate of the seal cannot be used.'],
  timestamp_failed: ['platform', 'The timestamp authority gave no usable timestamp.'],
  fonts_missing: [
    'platform',
    'Text is drawn with fonts that are not installed: npm install @symbolon/fonts.',
  ],
  image_unreadable: ['file', 'The image is not a JPEG or PNG that can be drawn.'],
  container_too_small: ['platform', 'The room for the signature is too small.'],
} as const satisfies Record<string, readonly ['file' | 'platform', string]>;
