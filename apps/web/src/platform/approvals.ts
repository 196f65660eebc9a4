import type {
  ChallengeDecided,
  PresenceOptions,
  TwoFactorCard,
  TwoFactorEnrollment,
} from '@symbolon/protocol';
import { NotFoundError } from '@symbolon/sdk/device';
import { call } from './inner/api.ts';
import type { Proof } from './presence.ts';
import { keys, type Query } from './queries.ts';

/** What a service asks. */
export type Card = TwoFactorCard & { presence?: PresenceOptions };
export type Decided = ChallengeDecided;
export type Enrolment = TwoFactorEnrollment;

const CHALLENGES = '/api/person/two-factor/challenges';
const ENROLMENTS = '/api/person/two-factor/enrollments';

export const openCards: Query<Card[]> = {
  key: keys.approvals,
  read: async () => (await call<{ challenges: Card[] }>('GET', CHALLENGES)).challenges,
  // A card that was closed before the person saw it needs no announcement.
  isFresh: true,
};

/** What became of a question; undefined when it is gone. */
export async function statusOf(id: string): Promise<Decided['status'] | undefined> {
  try {
    return (await call<Card>('GET', `${CHALLENGES}/${encodeURIComponent(id)}`)).status;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

export function approve(id: string, proof: Proof, digits?: string): Promise<Decided> {
  const body = { proof, ...(digits !== undefined && { digits }) };
  return call('POST', `${CHALLENGES}/${encodeURIComponent(id)}/approve`, body);
}

export function deny(id: string, notMe: boolean): Promise<Decided> {
  return call('POST', `${CHALLENGES}/${encodeURIComponent(id)}/deny`, notMe ? { not_me: true } : {});
}

export const enrolments: Query<Enrolment[]> = {
  key: keys.enrolments,
  read: async () => (await call<{ enrollments: Enrolment[] }>('GET', ENROLMENTS)).enrollments,
};

export function mute(id: string, muted: boolean): Promise<unknown> {
  return call('PUT', `${ENROLMENTS}/${encodeURIComponent(id)}/mute`, { muted });
}

export function revoke(id: string, proof: Proof): Promise<unknown> {
  return call('DELETE', `${ENROLMENTS}/${encodeURIComponent(id)}`, { proof });
}
