export { type CertificateState, checkSigner } from './certificates/check.ts';
export { createDevelopmentChain, type DevelopmentChain } from './certificates/development.ts';
export { signerFromPem, signerFromPkcs12 } from './certificates/load.ts';
export { PdfError, type PdfErrorCode } from './errors.ts';
export type { PdfWarning } from './file/contents.ts';
export type { PdfKind } from './file/open.ts';
export type { Act, SealedFacts } from './page/facts.ts';
export type { Inspected } from './prepare.ts';
export { type ValidationSourceOptions, validationSource } from './revocation/validation-source.ts';
export { PdfRunner, type PdfRunnerOptions } from './runner/pdf-runner.ts';
export { type Sealed, Sealer, type SealerOptions, type SealLevel } from './sealer.ts';
export type { Signer } from './sign/cms.ts';
export { type Ask, askByHttp } from './sign/fetch.ts';
export { type TimestampAuthority, type Token, timestampAuthority } from './sign/timestamp-authority.ts';
export type {
  FilledTemplate,
  TemplateAnalysis,
  TemplateField,
  TemplateProblem,
  TemplateTag,
  TooWide,
} from './template/analysis.ts';
export type { TemplateFilling } from './template/fill.ts';
export type { TemplatePlan } from './template/plan.ts';
export { createPdfWorker, type PdfWorker } from './worker.ts';
