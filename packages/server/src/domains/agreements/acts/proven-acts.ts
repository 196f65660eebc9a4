import type { DocumentActProof, PresenceProof, Presence as Proven } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import type { CallPresence } from '../../../access/presence.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { LargeText } from '../../../core/large-text.ts';
import type { ChallengedAct, ProvingChallenges } from '../../approval/index.ts';
import type { DocumentActRow } from '../documents/tables.ts';
import type { Acts, GivenAct } from './acts.ts';

/** Who acts on which document. */
export interface Acting {
  readonly customerId: string;
  readonly id: string;
  /** Refuses what the caller may not reach, once it is known that the document is here. */
  readonly admit?: () => Promise<unknown>;
  /** Notes the act elsewhere, in its transaction. */
  readonly record?: GivenAct['record'];
}

export interface SignBody {
  readonly content_sha256: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly proof: DocumentActProof;
  readonly pdf?: LargeText | undefined;
}

export interface AcceptBody {
  readonly content_sha256?: string | null;
  readonly proof?: DocumentActProof;
  readonly pdf?: LargeText | undefined;
}

interface Deps {
  readonly acts: Acts;
  readonly presence: CallPresence;
  readonly provingChallenges: ProvingChallenges;
}

/** Acts of people and of the owners of companies, who prove that they are present (wire 5.7). */
export class ProvenActs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @throws {PlatformError} what `Acts.look` and `Acts.perform` throw, those of `Presence.presenceOf`,
   *   documents.challenge_invalid
   */
  sign(
    request: FastifyRequest,
    acting: Acting,
    { content_sha256: contentSha256, first_name, last_name, proof, pdf }: SignBody,
  ): Promise<void> {
    const act = { action: 'signed', contentSha256, name: { first_name, last_name }, pdf } as const;
    return this.#perform(request, acting, act, {
      name: `sign document ${acting.id} ${contentSha256}`,
      proof,
    });
  }

  /** @throws {PlatformError} as `sign` */
  accept(
    request: FastifyRequest,
    acting: Acting,
    { content_sha256: contentSha256 = null, proof, pdf }: AcceptBody,
  ): Promise<void> {
    const act = { action: 'accepted', contentSha256, pdf } as const;
    const name = `accept document ${acting.id} ${contentSha256 ?? '-'}`;
    return this.#perform(request, acting, act, { name, proof });
  }

  async #perform(
    request: FastifyRequest,
    acting: Acting,
    act: Omit<GivenAct, 'method' | 'record'>,
    { name, proof }: { name: string; proof: DocumentActProof | undefined },
  ): Promise<void> {
    const { customerId, id, admit, record } = acting;
    const { acts, presence } = this.#deps;
    // A call whose document is elsewhere is proved here and then sent on.
    const found = await acts.look(customerId, id, act, admit);
    if (found === 'stands') return;
    if (proof?.kind === 'challenge') {
      // The challenge is where the document is: elsewhere than here it is checked there.
      const challenge = { id: proof.challenge_id, act: name };
      if (found !== 'unknown') await this.#deps.provingChallenges.check(challenged(found, acting, challenge));
      return acts.perform(customerId, id, {
        ...act,
        method: 'twofa',
        record: async (writer, row) => {
          await this.#deps.provingChallenges.spend(writer, challenged(row, acting, challenge));
          await record?.(writer, row);
        },
      });
    }
    const method = proof === undefined ? null : await methodOf(presence, request, name, proof);
    await acts.perform(customerId, id, { ...act, method, ...(record && { record }) });
  }
}

function challenged(
  { company_id: companyId, service_id: serviceId }: Pick<DocumentActRow, 'company_id' | 'service_id'>,
  { customerId: personId }: Acting,
  { id: challengeId, act }: { id: string; act: string },
): ChallengedAct {
  return { companyId, serviceId, personId, challengeId, act };
}

/** What a proof is called in the act that it was made for. */
const METHODS: Readonly<Record<Proven['method'], DocumentActRow['method']>> = {
  passkey: 'biometric',
  totp: 'twofa',
  mailed_code: 'email',
  recovery_code: null,
  password: null,
};

/**
 * Checks the proof of an act.
 * @throws {PlatformError} those of `Presence.presenceOf`, auth.two_factor_required for the login secret alone or with a recovery code
 */
export async function methodOf(
  presence: CallPresence,
  request: FastifyRequest,
  act: string,
  proof: PresenceProof,
): Promise<DocumentActRow['method']> {
  // A code on paper is for those who lost their device; it does not prove presence. It is not used up.
  if (proof.kind === 'password' && proof.recovery_code !== undefined)
    throw new PlatformError('auth.two_factor_required', {
      text: 'A recovery code signs nothing. Send a code from the authenticator app, or use a passkey.',
    });
  const { method } = await presence.presenceOf(request, act, proof, { strong: true });
  return METHODS[method];
}
