import { FileValue } from '@symbolon/protocol';
import type { FastifyReply } from 'fastify';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { digestHeader, sendFile } from '../../../http/file-answer.ts';
import type { CompanyData } from './company-data.ts';
import type { ServiceRef } from './store.ts';

export interface AnswerFileDeps {
  readonly companyData: CompanyData;
  /** The word of the platform in names of headers. */
  readonly headerName: string;
}

/** What a route that sends the file of an answer declares. */
export const answerFile = {
  errors: [
    'company_data.connection_not_found',
    'company_data.file_expired',
    'company_data.file_not_found',
    'photos.unavailable',
  ],
  summary: 'The file of an answer',
  description:
    '`{encrypted: true, value}` with a wrapper; `{encrypted: false, value}` with an envelope of pages or with further entries; or the file itself, with its content type. The first two are JSON, or XML when `Accept` prefers it. X-Platform-Content-Sha256 is the SHA-256 of the value, or of the file. A file that was given once is there for 90 days: 410 company_data.file_expired tells its digest and when it ended.',
  ok: FileValue,
} as const;

/** @throws {PlatformError} company_data.connection_not_found, company_data.file_expired, company_data.file_not_found */
export async function sendAnswerFile(
  reply: FastifyReply,
  { companyData, headerName }: AnswerFileDeps,
  service: ServiceRef,
  connectionId: string,
  rowId: string,
): Promise<never> {
  const file = await companyData.file(service, connectionId, rowId);
  if ('sha256' in file) {
    throw new PlatformError('company_data.file_expired', {
      headers: { [digestHeader(headerName)]: file.sha256 },
      details: { content_sha256: file.sha256, expired_at: isoTime(file.at) },
    });
  }
  return sendFile(reply, headerName, file, () => companyData.open(file)) as never;
}
