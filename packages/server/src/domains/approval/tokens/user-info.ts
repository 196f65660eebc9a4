import type { UserInfo } from '@symbolon/protocol';
import { readSignInSubject } from '../../../access/access-token.ts';
import { refusalOfToken } from '../../../access/authenticator.ts';
import type { Principal } from '../../../access/principal.ts';
import type { Core } from '../../domain.ts';
import { EPOCH } from './exchange.ts';
import { isOfEarlierEpoch, signInOfToken, userInfoRow } from './store.ts';
import type { UsedCodes } from './used-codes.ts';

type SignInPrincipal = Extract<Principal, { kind: 'sign_in' }>;

interface Deps extends Pick<Core, 'database'> {
  readonly usedCodes: UsedCodes;
}

/** What the token of a sign-in opens. */
export class UserInfos {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Who calls with a token; undefined when it was revoked, its app is gone, or the person set new credentials since. */
  async identity(subject: string): Promise<{ principal: SignInPrincipal; epoch: number } | undefined> {
    const { companyId, id } = readSignInSubject(subject);
    const [row] = await signInOfToken(this.#deps.database.vital, companyId, id);
    if (row === undefined || row.revoked_at !== null || isOfEarlierEpoch(row)) return undefined;
    if (this.#deps.usedCodes.isRevoked(id)) return undefined;
    const principal = { kind: 'sign_in', companyId, clientId: row.client_id, signInId: id } as const;
    return { principal, epoch: EPOCH };
  }

  /** @throws {PlatformError} auth.invalid when the sign-in ended in this moment */
  async read({ companyId, signInId }: SignInPrincipal): Promise<UserInfo> {
    const [row] = await userInfoRow(this.#deps.database.reader, companyId, signInId);
    if (row === undefined) throw refusalOfToken('invalid');
    return {
      sub: row.share_code,
      share_code: row.share_code,
      mode: row.mode,
      two_factor: row.two_factor === 1,
      ...wrappers('values', row.claims),
      ...wrappers('values_attestation', row.attestations),
    };
  }
}

/** A member with wrappers by the claim's name; without any there is no member. */
function wrappers<Name extends 'values' | 'values_attestation'>(
  name: Name,
  stored: string,
): Partial<Pick<UserInfo, Name>> {
  const texts = Object.entries(JSON.parse(stored) as Record<string, string>);
  if (texts.length === 0) return {};
  const parsed = Object.fromEntries(texts.map(([claim, text]) => [claim, JSON.parse(text)]));
  return { [name]: parsed } as Partial<Pick<UserInfo, Name>>;
}
