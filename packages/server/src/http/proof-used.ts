import type { FastifyRequest } from 'fastify';

const TEXT = 'The proof of presence is used up: repeat the call with a new one.';

/** Whether a call has used up a proof: the same call would be refused for it. The login secret alone can be sent again. */
export function hasUsedProof({ principal }: Pick<FastifyRequest, 'principal'>): boolean {
  const isPresent = principal?.kind === 'person' || principal?.kind === 'portal';
  const presence = isPresent ? principal.presence : undefined;
  return presence !== undefined && presence.method !== 'password';
}

/** Says in an error that invites to repeat the call that a new proof is needed (wire 7). */
export function tellUsedProof(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return body.proof_used === true ? body : { ...body, error: `${body.error} ${TEXT}`, proof_used: true };
}
