import { limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Reader } from '../../../db/database.ts';
import { filesTaken, roomTaken, type ServiceRef } from './store.ts';

/*
 * Bounds on what a service issues to one customer, or to all of them. They are checked after the write that needs the room,
 * which is undone with its transaction.
 */

/** @throws {PlatformError} documents.limit_reached */
export async function checkRoom(
  reader: Reader,
  service: ServiceRef,
  connectionId: string | null,
): Promise<void> {
  const { documents, bytes } = await roomTaken(reader, service, connectionId);
  const most = connectionId === null ? limits.documentsForAllMost : limits.documentsOfConnectionMost;
  if (documents > most || bytes > limits.documentsBytesMost)
    throw new PlatformError('documents.limit_reached');
}

/** @throws {PlatformError} documents.limit_reached */
export async function checkFilesRoom(
  reader: Reader,
  service: ServiceRef,
  connectionId: string | null,
): Promise<void> {
  if ((await filesTaken(reader, service, connectionId)) > limits.documentFilesBytesMost)
    throw new PlatformError('documents.limit_reached');
}
