import type { PresenceProof, SignInPolicy } from '@symbolon/protocol';
import type { Query } from '../queries.ts';
import { proofMembers } from '../sign-in-means.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

const POLICY = '/api/account/sign-in-policy';
/** What the proof of an admin is for. */
export const POLICY_ACT = `PUT ${POLICY}`;

/** Whether each login of the company needs a second factor, and which have none. */
export const signInPolicyQuery: Query<SignInPolicy> = {
  key: portalKeys.signInPolicy,
  read: () => portalCall('GET', POLICY),
};

export async function setSignInPolicy(
  second_factor: SignInPolicy['second_factor'],
  proof: PresenceProof,
): Promise<void> {
  await portalCall('PUT', POLICY, { second_factor, ...proofMembers(proof) });
}
