import type {
  ChallengeDecided,
  PresenceOptions,
  TwoFactorCard,
  TwoFactorEnrollment,
} from '@symbolon/protocol';
import { NotFoundError } from '@symbolon/sdk/device';
import { call } from './api.ts';
import type { Proof } from './presence.ts';

/** What a service asks. */
export type Card = TwoFactorCard & { presence?: PresenceOptions };
export type Decided = ChallengeDecided;
export type Enrolment = TwoFactorEnrollment;

const CHALLENGES = '/api/person/two-factor/challenges';
const ENROLMENTS = '/api/person/two-factor/enrollments';

export async function openCards(signal?: AbortSignal): Promise<Card[]> {
  const { challenges } = await call<{ challenges: Card[] }>(
    'GET',
    CHALLENGES,
    undefined,
    signal && { signal },
  );
  return challenges;
}

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

export async function enrolments(): Promise<Enrolment[]> {
  return (await call<{ enrollments: Enrolment[] }>('GET', ENROLMENTS)).enrollments;
}

export function mute(id: string, muted: boolean): Promise<unknown> {
  return call('PUT', `${ENROLMENTS}/${encodeURIComponent(id)}/mute`, { muted });
}

export function revoke(id: string, proof: Proof): Promise<unknown> {
  return call('DELETE', `${ENROLMENTS}/${encodeURIComponent(id)}`, { proof });
}
