import type { Ids } from '../core/ids.ts';
import { type AccessClaims, readSignInSubject } from './access-token.ts';

/** Bytes of a UUID. */
const COMPANY_BYTES = 16;
const OWN_BYTES = 9;

/**
 * A client id: a prefix, and base64url of the company's id and some random bytes. So the front door knows from the id alone
 * whose client it is, without a lookup.
 */
export function newClientId(prefix: string, companyId: string, ids: Ids): string {
  const company = Buffer.from(companyId.replaceAll('-', ''), 'hex');
  const own = Buffer.from(ids.token(OWN_BYTES), 'base64url');
  return `${prefix}${Buffer.concat([company, own]).toString('base64url')}`;
}

/** The company whose client it is; undefined for an id that is no such id. */
export function companyOfClientId(clientId: string): string | undefined {
  const bytes = Buffer.from(clientId.slice(clientId.indexOf('_') + 1), 'base64url');
  if (bytes.length !== COMPANY_BYTES + OWN_BYTES) return undefined;
  return bytes
    .toString('hex', 0, COMPANY_BYTES)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The company in whose home region a token is good; undefined for the token of a person. */
export function companyOfToken({ kind, sub }: AccessClaims): string | undefined {
  if (kind === 'person') return undefined;
  return kind === 'client' ? companyOfClientId(sub) : readSignInSubject(sub).companyId;
}
