import type { PresenceProof, RegionMigration } from '@symbolon/protocol';
import type { Query } from '../queries.ts';
import { proofMembers } from '../sign-in-means.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

const MOVE = '/api/profile/migrate-region';
/** What the proof of an owner is for. */
export const MOVE_ACT = `POST ${MOVE}`;

/** Where a company may be at home, and its last move. */
export const regionsQuery: Query<{ regions: readonly string[]; last: RegionMigration | null }> = {
  key: portalKeys.companyRegion,
  async read() {
    const [{ regions }, last] = await Promise.all([
      portalCall<{ regions: { name: string }[] }>('GET', '/api/regions'),
      portalCall<RegionMigration | null>('GET', MOVE),
    ]);
    return { regions: regions.map(({ name }) => name), last };
  },
};

export async function moveCompany(region: string, proof: PresenceProof): Promise<void> {
  await portalCall('POST', MOVE, { region, ...proofMembers(proof) });
}
