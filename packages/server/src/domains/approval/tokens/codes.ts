import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { limits } from '@symbolon/protocol';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Grant, PlaintextClaims } from './grant.ts';
import { insertPlaintext, insertSignIn, revokeOfPerson } from './store.ts';

const ID_BYTES = 16;
const SECRET_BYTES = 32;

/** What a code says by itself: whose row it names. */
export interface CodeParts {
  readonly id: string;
  readonly code: string;
}

/** The codes that people's approvals give to apps (RFC 6749 4.1.2). */
export class Codes {
  readonly #deps: Pick<Core, 'clock' | 'ids' | 'secrets'>;

  constructor(deps: Pick<Core, 'clock' | 'ids' | 'secrets'>) {
    this.#deps = deps;
  }

  /** Stores what a person approved, in the caller's transaction. @returns the code, which only its hash is kept of */
  async mint(writer: Writer, grant: Grant): Promise<string> {
    const { clock, ids, secrets } = this.#deps;
    const now = clock.now();
    const id = ids.uuid();
    const bytes = Buffer.concat([
      Buffer.from(id.replaceAll('-', ''), 'hex'),
      Buffer.from(ids.token(SECRET_BYTES), 'base64url'),
    ]);
    const code = bytes.toString('base64url');
    const codeExpiresAt = now + limits.signInCodeSeconds * 1000;
    await insertSignIn(writer, {
      company_id: grant.companyId,
      id,
      client_id: grant.clientId,
      person_id: grant.personId,
      person_epoch: grant.personEpoch,
      code_hash: secrets.hash(code),
      code_expires_at: codeExpiresAt,
      used_at: null,
      revoked_at: null,
      // Not set by the exchange: that must also work while nothing can be saved.
      expires_at: codeExpiresAt + limits.accessTokenSeconds * 1000,
      share_code: grant.shareCode,
      mode: grant.mode,
      redirect_uri: grant.redirectUri,
      code_challenge: grant.codeChallenge,
      nonce: grant.nonce,
      scope: grant.scope,
      two_factor: grant.twoFactor ? 1 : 0,
      auth_time: grant.authTime ?? null,
      created_at: now,
      claims: JSON.stringify(grant.values),
      attestations: JSON.stringify(grant.attestations),
    });
    if (grant.plaintext !== undefined) {
      await insertPlaintext(writer, {
        company_id: grant.companyId,
        id,
        sealed: seal(grant.plaintext, { code, id }),
        expires_at: codeExpiresAt,
      });
    }
    return code;
  }

  /** Ends every code and token that a person gave an app. */
  async revoke(
    writer: Writer,
    of: { readonly companyId: string; readonly clientId: string; readonly personId: string },
  ): Promise<void> {
    await revokeOfPerson(writer, of, this.#deps.clock.now());
  }
}

/** The row that a code names; undefined for a text that is no code. */
export function readCode(code: string): CodeParts | undefined {
  const bytes = Buffer.from(code, 'base64url');
  // Compared as text, so that a code has one spelling only.
  if (bytes.length !== ID_BYTES + SECRET_BYTES || bytes.toString('base64url') !== code) return undefined;
  const hex = bytes.toString('hex', 0, ID_BYTES);
  return { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), code };
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The key is made of the code, of which only a hash is stored: with the code the claims become unreadable. */
function keyOf({ code, id }: CodeParts): Buffer {
  return Buffer.from(hkdfSync('sha256', code, id, 'symbolon id_token claims', 32));
}

function seal(claims: PlaintextClaims, parts: CodeParts): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(parts), iv);
  return Buffer.concat([
    iv,
    cipher.update(JSON.stringify(claims)),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('base64');
}

/** @throws Error when the text was not sealed with this code */
export function openPlaintext(sealed: string, parts: CodeParts): PlaintextClaims {
  const data = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(parts), data.subarray(0, IV_BYTES));
  decipher.setAuthTag(data.subarray(-TAG_BYTES));
  const text = Buffer.concat([decipher.update(data.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  return JSON.parse(text.toString()) as PlaintextClaims;
}
