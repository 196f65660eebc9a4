import type { FastifyRequest } from 'fastify';
import { accountOf } from '../access/principal.ts';
import { networkOf } from '../core/ip-address.ts';

/** Who answers for a body: the account of the caller, or the address. Other regions and the operator are trusted. */
export function partyOf({ principal, ip }: FastifyRequest): string | undefined {
  return principal === null ? networkOf(ip) : accountOf(principal);
}
