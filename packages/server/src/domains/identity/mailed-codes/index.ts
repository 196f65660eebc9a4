export { CodeMailLimits } from './code-mail-limits.ts';
export { CODE_MINUTES, MailedCodes } from './mailed-codes.ts';
