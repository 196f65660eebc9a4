export { type CodeMailLimits, codeMailLimits, MailLimits } from './mail-limits.ts';
export { CODE_MINUTES, MailedCodes } from './mailed-codes.ts';
