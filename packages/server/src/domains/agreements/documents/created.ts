import { type CreateDocumentRequest, type DocumentTarget, limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { parseSealed } from '../../../core/sealed-value.ts';
import type { DocumentRow } from './tables.ts';

/** @throws {PlatformError} for a document without a customer that asks for one */
export function refuseWithoutTarget(
  { kind, is_private, requires_signature, requires_acceptance }: CreateDocumentRequest,
  target: DocumentTarget | undefined,
): void {
  if (target !== undefined) return;
  if (kind !== 'document' || requires_signature === true || requires_acceptance === true)
    throw new PlatformError('documents.contract_requires_person');
  if (is_private === true) throw new PlatformError('documents.private_requires_person');
}

/** What is to be signed, or else to be accepted, waits for the customer (wire 3.2). */
export function firstStatus({
  requires_signature,
  requires_acceptance,
}: CreateDocumentRequest): DocumentRow['status'] {
  if (requires_signature === true) return 'ready_to_sign';
  return requires_acceptance === true ? 'offering' : 'active';
}

/** What a JSON document holds, as it is stored; null for a file, which is uploaded later. */
export function payloadOf({ payload_kind, value }: CreateDocumentRequest, isForOne: boolean): string | null {
  if (payload_kind === 'file') {
    if (value !== undefined && value !== null && !isPending(value))
      throw new PlatformError('documents.invalid_payload');
    return null;
  }
  if (value === undefined) throw new PlatformError('documents.invalid_payload');
  if (isForOne) return sealedPayload(value);
  const text = JSON.stringify(value);
  if (text.length > limits.wrapperTextMost) throw new PlatformError('documents.too_large');
  return text;
}

function sealedPayload(value: unknown): string {
  try {
    return parseSealed(value);
  } catch (error) {
    if (error instanceof PlatformError && error.key === 'contact_data.value_too_large')
      throw new PlatformError('documents.too_large');
    throw error;
  }
}

/** What clients send in the place of a file that they upload next. */
function isPending(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '_pending' in value && value._pending === true;
}

export function metadataText(metadata: CreateDocumentRequest['metadata']): string {
  const text = JSON.stringify(metadata ?? {});
  if (Buffer.byteLength(text) > limits.documentMetadataBytes)
    throw new PlatformError('documents.invalid_payload');
  return text;
}
