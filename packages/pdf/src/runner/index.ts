/** What a process needs that has PDF files read in others: it loads no reader of files itself. */
export { PdfError, type PdfErrorCode } from '../errors.ts';
export { PdfRunner, type PdfRunnerOptions } from './pdf-runner.ts';
