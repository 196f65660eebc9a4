import type { DeletionState, MailedCodeRequest, PresenceProof } from '@symbolon/protocol';
import type { Query } from '../queries.ts';
import { proofMembers } from '../sign-in-means.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

const REQUEST = '/api/account/delete-request';
/** What the proof of an owner is for. */
export const DELETION_ACT = `POST ${REQUEST}`;

/** Whether the company is to be deleted, and when. */
export const deletionQuery: Query<DeletionState> = {
  key: portalKeys.companyDeletion,
  read: () => portalCall('GET', REQUEST),
};

/** Has a code mailed that confirms the deletion. */
export async function askForDeletion(proof: PresenceProof): Promise<void> {
  await portalCall('POST', REQUEST, proofMembers(proof));
}

export function confirmDeletion(code: string): Promise<DeletionState> {
  const json: MailedCodeRequest = { code: code.replace(/\s/g, '') };
  return portalCall('POST', '/api/account/confirm-delete', json);
}

export const withdrawDeletion = (): Promise<void> => portalCall('DELETE', REQUEST);
