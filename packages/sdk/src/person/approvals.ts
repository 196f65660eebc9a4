import type {
  ApproveChallengeRequest,
  ChallengeDecided,
  RevokeEnrollmentRequest,
  TwoFactorCard,
  TwoFactorCardList,
  TwoFactorEnrollment,
  TwoFactorEnrollmentList,
  TwoFactorStatus,
} from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import type { PersonPresence, PersonProof } from './presence.ts';

const CHALLENGES = '/api/person/two-factor/challenges';
const ENROLLMENTS = '/api/person/two-factor/enrollments';

/** What services ask a person to approve, and which services may ask (wire 10.2): `approvals` of a person client. */
export class Approvals {
  readonly #api: Api;
  readonly #presence: PersonPresence;

  constructor(api: Api, presence: PersonPresence) {
    this.#api = api;
    this.#presence = presence;
  }

  /** What is asked now, oldest first. */
  async pending(): Promise<TwoFactorCard[]> {
    return (await this.#api.json<TwoFactorCardList>({ method: 'GET', path: CHALLENGES })).challenges;
  }

  /** @throws NotFoundError `twofa.not_found` */
  challenge(id: string): Promise<TwoFactorCard> {
    return this.#api.json({ method: 'GET', path: CHALLENGES + path`/${id}` });
  }

  /**
   * @param digits that the service shows, where the challenge has `number_matching`
   * @throws AuthenticationError `auth.credentials_invalid`, `auth.two_factor_required`, `auth.passkey_invalid`; NotFoundError
   * `twofa.not_found`; InvalidRequestError or ConflictError `twofa.…`
   */
  async approve(id: string, proof: PersonProof, digits?: string): Promise<TwoFactorStatus> {
    const json: ApproveChallengeRequest = {
      proof: await this.#presence.prove(`approve challenge ${id}`, proof),
      ...(digits === undefined ? {} : { digits }),
    };
    return this.#decide(id, 'approve', json);
  }

  /** @param options.notMe the person did not start this login: the service is notified by mail */
  deny(id: string, options: { notMe?: boolean } = {}): Promise<TwoFactorStatus> {
    return this.#decide(id, 'deny', options.notMe ? { not_me: true } : {});
  }

  async enrollments(): Promise<TwoFactorEnrollment[]> {
    return (await this.#api.json<TwoFactorEnrollmentList>({ method: 'GET', path: ENROLLMENTS })).enrollments;
  }

  /** Ends an enrolment: the service can ask nothing, and what it asks now is revoked. */
  async revoke(id: string, proof: PersonProof): Promise<void> {
    const json: RevokeEnrollmentRequest = {
      proof: await this.#presence.prove(`revoke enrolment ${id}`, proof),
    };
    await this.#api.done({ method: 'DELETE', path: ENROLLMENTS + path`/${id}`, json });
  }

  /** A muted service can ask nothing. */
  mute(id: string, muted: boolean): Promise<void> {
    return this.#api.done({ method: 'PUT', path: ENROLLMENTS + path`/${id}/mute`, json: { muted } });
  }

  async #decide(id: string, decision: string, json: object): Promise<TwoFactorStatus> {
    const call = { method: 'POST', path: CHALLENGES + path`/${id}/${decision}`, json } as const;
    return (await this.#api.json<ChallengeDecided>(call)).status;
  }
}
