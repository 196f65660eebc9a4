import type { Presence } from '@symbolon/protocol';
import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    two_factor_challenges: ChallengeRow;
  }
}

/** A service asks a person (wire 3.1). */
export interface ChallengeRow {
  company_id: string;
  id: string;
  service_id: string;
  person_id: string;
  idempotency_key: string;
  context: string | null;
  /** Two digits; null without number matching. They are shown to the service's own customer, so they are no secret at rest. */
  digits: string | null;
  /** How often wrong ones were entered. */
  wrong_digits: number;
  /** A pending one whose time is over has expired: nothing writes that down. */
  status: 'pending' | 'approved' | 'denied' | 'revoked';
  created_at: number;
  expires_at: number;
  completed_at: number | null;
  /** The proof by which an approved one was approved. */
  approved_by: Presence['method'] | null;
  /** When it proved an act on a document (wire 11.3): it proves one. */
  spent_at: number | null;
  /** Whether a poll was given the outcome: it is given once. */
  delivered: Flag;
  /** The process that is sending the outcome to a poll, and until when others respect that. */
  claim_owner: string | null;
  claimed_until: number | null;
}

/** A process of one region is unknown in another one. */
const claim = ['claim_owner', 'claimed_until'] as const;

export const challengeTables = defineTables({
  two_factor_challenges: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id', services: 'service_id', persons: 'person_id' },
    manyOf: ['services'],
    move: { notCompared: claim, emptied: claim },
  },
});
