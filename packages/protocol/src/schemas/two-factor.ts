import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Exact, Id, Nullable, Time } from './common.ts';
import { PresenceOptions, PresenceProof } from './presence.ts';

/** What became of a challenge (wire 3.1). */
export const TwoFactorStatus = Type.Union([
  Type.Literal('pending'),
  Type.Literal('approved'),
  Type.Literal('denied'),
  Type.Literal('expired'),
  Type.Literal('revoked'),
]);
export type TwoFactorStatus = Static<typeof TwoFactorStatus>;

/** A service asks an enrolled person (wire 2.7). */
export const ChallengeRequest = Exact({
  share_code: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: "the person's" }),
  context: Type.Optional(
    Nullable(
      Type.String({
        maxLength: limits.challengeContextMost,
        description: 'plain text, shown to the person',
      }),
    ),
  ),
  idempotency_key: Type.String({
    minLength: 1,
    maxLength: limits.idempotencyKeyMost,
    pattern: '\\S',
    description: 'the same key for the same person gives the same challenge as long as that lives',
  }),
});
export type ChallengeRequest = Static<typeof ChallengeRequest>;

export const Challenge = Type.Object({
  challenge_id: Id,
  status: Type.Literal('pending'),
  expires_at: Time,
  matching_digits: Type.Optional(
    Type.String({
      pattern: '^[0-9]{2}$',
      description: 'while number matching is on: show them to the person',
    }),
  ),
});
export type Challenge = Static<typeof Challenge>;

export const ChallengeResult = Type.Object({
  status: TwoFactorStatus,
  expires_at: Type.Optional(Type.String({ description: 'while it is pending' })),
  completed_at: Type.Optional(Type.String({ description: 'once it is not' })),
});
export type ChallengeResult = Static<typeof ChallengeResult>;

const AskingService = Type.Object({ id: Id, name: Type.String(), share_code: Type.String() });
const AskingCompany = Type.Object({
  user_id: Id,
  display_name: Type.String(),
  company_code: Type.String(),
});

/** What a person is asked. */
export const TwoFactorCard = Type.Object({
  challenge_id: Id,
  status: TwoFactorStatus,
  service: AskingService,
  company: AskingCompany,
  context: Nullable(Type.String({ description: 'one line of plain text that the service sent' })),
  number_matching: Type.Boolean({ description: 'whether approving takes the digits that the service shows' }),
  created_at: Time,
  expires_at: Time,
  presence: Type.Optional(PresenceOptions),
});
export type TwoFactorCard = Static<typeof TwoFactorCard>;

export const TwoFactorCardList = Type.Object({ challenges: Type.Array(TwoFactorCard) });
export type TwoFactorCardList = Static<typeof TwoFactorCardList>;

/** The act of the proof is `approve challenge <challenge_id>`. */
export const ApproveChallengeRequest = Exact({
  proof: PresenceProof,
  digits: Type.Optional(
    Type.String({ pattern: '^[0-9]{2}$', description: 'that the service shows, under number matching' }),
  ),
});
export type ApproveChallengeRequest = Static<typeof ApproveChallengeRequest>;

export const DenyChallengeRequest = Exact({
  not_me: Type.Optional(
    Type.Boolean({ description: 'the person did not start this login: the service is told by mail' }),
  ),
});
export type DenyChallengeRequest = Static<typeof DenyChallengeRequest>;

export const ChallengeDecided = Type.Object({ status: TwoFactorStatus });
export type ChallengeDecided = Static<typeof ChallengeDecided>;

/** That a person lets a service ask. */
export const TwoFactorEnrollment = Type.Object({
  enrollment_id: Id,
  service: AskingService,
  company: AskingCompany,
  muted: Type.Boolean(),
  created_at: Time,
});
export type TwoFactorEnrollment = Static<typeof TwoFactorEnrollment>;

export const TwoFactorEnrollmentList = Type.Object({ enrollments: Type.Array(TwoFactorEnrollment) });
export type TwoFactorEnrollmentList = Static<typeof TwoFactorEnrollmentList>;

/** The act of the proof is `revoke enrolment <enrollment_id>`. */
export const RevokeEnrollmentRequest = Exact({ proof: PresenceProof });
export type RevokeEnrollmentRequest = Static<typeof RevokeEnrollmentRequest>;

export const MuteRequest = Exact({ muted: Type.Boolean() });
export type MuteRequest = Static<typeof MuteRequest>;
