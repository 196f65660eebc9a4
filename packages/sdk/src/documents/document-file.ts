import { buildFileEnvelope } from '@symbolon/crypto';

/** A file of a document. */
export type DocumentFile = {
  /** With its extension, such as `lease.pdf`. */
  name: string;
  mimeType: string;
  bytes: Uint8Array;
};

export const envelopeOf = ({ name: originalName, mimeType, bytes }: DocumentFile): string =>
  buildFileEnvelope({ file: { originalName, mimeType, bytes } });
