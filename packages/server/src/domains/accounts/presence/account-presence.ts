import type {
  CodeMailed,
  PasskeyAnswer,
  PasskeySignInOptions,
  Presence,
  PresenceMethod,
  PresenceOptions,
  PresenceProof,
} from '@symbolon/protocol';
import { mailboxOf } from '../../../access/email.ts';
import type { PresenceNeed } from '../../../access/presence.ts';
import type { SignInThrottle } from '../../../access/rate-limits.ts';
import { refuseBase } from '../../../access/routing.ts';
import type { AccountRef } from '../../../access/user-handle.ts';
import { accountOfHandle, userHandle } from '../../../access/user-handle.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import type { CodeMailLimits } from '../mailed-codes/mail-limits.ts';
import { CODE_MINUTES, MailedCodes } from '../mailed-codes/mailed-codes.ts';
import {
  type AccountKind,
  type AccountRow,
  idOf,
  nameOf,
  requireAccount,
  writeToAccount,
} from './account.ts';
import { nameOfAct } from './act-names.ts';
import { presenceCode } from './mails.ts';
import type { Nonces } from './nonces.ts';
import { relyingParty } from './relying-party.ts';
import { SecondFactorCheck } from './second-factor-check.ts';
import { SignInTickets } from './sign-in-tickets.ts';
import { passkeyByCredential, passkeysOf, usePasskey } from './store.ts';
import type { PasskeyColumns } from './tables.ts';
import { checkAssertion } from './webauthn.ts';

export interface PresenceDeps
  extends Pick<Core, 'clock' | 'config' | 'database' | 'ids' | 'mail' | 'publicUrl' | 'regions' | 'secrets'> {
  readonly throttle: SignInThrottle;
  readonly codeMailLimits: CodeMailLimits;
  readonly nonces: Nonces;
}

/** Proofs of presence of one kind of accounts. */
export class AccountPresence<Row extends AccountRow> {
  readonly #deps: PresenceDeps;
  readonly #kind: AccountKind<Row>;
  readonly factors: SecondFactorCheck<Row>;
  readonly tickets: SignInTickets<Row>;
  #mailed: MailedCodes<'person_codes'> | undefined;

  constructor(deps: PresenceDeps, kind: AccountKind<Row>) {
    this.#deps = deps;
    this.#kind = kind;
    this.factors = new SecondFactorCheck(deps, kind);
    this.tickets = new SignInTickets(deps, kind);
  }

  /** Made at the first use: which table holds them is a port's to say. */
  get #codes(): MailedCodes<'person_codes'> {
    const table = this.#kind.tables.mailedCodes as 'person_codes';
    this.#mailed ??= new MailedCodes(this.#deps, table, (key) => `presence code ${JSON.stringify(key)}`);
    return this.#mailed;
  }

  /** What a page needs in order to ask for a proof. It writes nothing. @throws {PlatformError} auth.invalid */
  async options(ref: AccountRef, act: string): Promise<PresenceOptions> {
    const row = await this.#require(ref);
    const passkeys = await passkeysOf(this.#deps.database.reader, ref);
    const { nonce, expiresAt } = this.#deps.nonces.make(this.#purpose(ref, act));
    const { id: rp_id } = relyingParty(this.#deps);
    return {
      nonce,
      expires_at: isoTime(expiresAt),
      rp_id,
      credential_ids: passkeys.map((passkey) => passkey.credential_id),
      methods: methodsOf(row, passkeys.length).filter(
        (method) => method !== 'password' || !this.#isStrong(act),
      ),
    };
  }

  /**
   * Mails a code for one act, to an account without passkey and authenticator app. An earlier code is void.
   * @throws {PlatformError} account.mailed_code_unavailable, rate_limit.exceeded, mail.unavailable, mail.refused
   */
  async mailCode(ref: AccountRef, act: string): Promise<CodeMailed> {
    const row = await this.#require(ref);
    const passkeys = await passkeysOf(this.#deps.database.reader, ref);
    if (!methodsOf(row, passkeys.length).includes('mailed_code'))
      throw new PlatformError('account.mailed_code_unavailable');
    this.#deps.mail.refuseWhenAway();
    const account = ref.kind === 'person' ? ref.personId : ref.companyId;
    await this.#deps.codeMailLimits.consume({
      subject: `presence of ${idOf(ref)}`,
      account,
      to: row.email,
    });
    const key = this.#codeKey(ref);
    const { code, expiresAt, row: stored } = this.#codes.draw(key, { subject: act });
    await this.#deps.database.write((writer) => this.#codes.put(writer, key, stored));
    await this.#deps.mail.send(presenceCode(row.email, code, nameOfAct(act), CODE_MINUTES));
    return { expires_at: isoTime(expiresAt) };
  }

  /**
   * Checks a proof for an act and uses it up. Wrong secrets and answers count as failed sign-ins.
   * @param source the caller's address
   * @returns how presence was proved, and the account as it was then
   * @throws {PlatformError} account.key_invalid, auth.credentials_invalid, auth.passkey_invalid, auth.throttled,
   *   auth.two_factor_required, auth.second_factor_invalid
   */
  async prove(
    ref: AccountRef,
    act: string,
    proof: PresenceProof,
    source: string,
    need: PresenceNeed = { strong: false },
  ): Promise<{ presence: Presence; account: Row }> {
    const row = await this.#require(ref);
    if (proof.kind === 'passkey') {
      await this.passkey(row, this.#purpose(ref, act), proof, source);
      return { presence: { method: 'passkey', twoFactor: true }, account: row };
    }
    const account = await this.#kind.prove(row, proof.login_secret, source);
    if (account.totp_enabled_at !== null) {
      const method = await this.factors.take(account, proof);
      return { presence: { method, twoFactor: true }, account };
    }
    if (proof.mailed_code !== undefined) {
      const code = proof.mailed_code;
      await this.factors.attempt(account, 'mailed_code', () => this.#takeMailed(ref, act, code));
      return { presence: { method: 'mailed_code', twoFactor: true }, account };
    }
    if (need.strong || this.#isStrong(act)) throw new PlatformError('auth.two_factor_required');
    return { presence: { method: 'password', twoFactor: false }, account };
  }

  /**
   * Checks a passkey's answer and uses its nonce up.
   * @param purpose for which the nonce must have been made
   * @throws {PlatformError} auth.passkey_invalid, auth.throttled
   */
  passkey(row: Row, purpose: string, answer: PasskeyAnswer, source: string): Promise<PasskeyColumns> {
    const account = `${this.#kind.kind}:${mailboxOf(row.email)}`;
    return this.#deps.throttle.attempt({ account, source }, 'auth.passkey_invalid', () =>
      this.#takePasskey(this.#kind.refOf(row), purpose, answer),
    );
  }

  /** What a passkey that knows its account is asked with, when no address was typed. */
  signInOptions(): PasskeySignInOptions {
    const { nonce, expiresAt } = this.#deps.nonces.make(this.#signInPurpose());
    return { nonce, expires_at: isoTime(expiresAt), rp_id: relyingParty(this.#deps).id };
  }

  /**
   * The account that a passkey's answer signs in. The passkey verified its user, so that it is two factors in one.
   * @throws {PlatformError} auth.passkey_invalid, auth.throttled, region.rebase_required
   */
  async signIn(answer: PasskeyAnswer, source: string): Promise<{ account: Row; passkey: PasskeyColumns }> {
    const ref = accountOfHandle(answer.credential.response.userHandle);
    const known = ref?.kind === this.#kind.kind ? ref : undefined;
    const row = known === undefined ? undefined : await this.#kind.find(this.#deps.database.reader, known);
    if (row === undefined) {
      if (known !== undefined) refuseBase(this.#deps.regions, await this.#kind.homeElsewhere(known));
      const account = `${this.#kind.kind}: unknown passkey`;
      await this.#deps.throttle.attempt({ account, source }, 'auth.passkey_invalid', async () => undefined);
      throw new PlatformError('auth.passkey_invalid');
    }
    return { account: row, passkey: await this.passkey(row, this.#signInPurpose(), answer, source) };
  }

  async #takePasskey(
    ref: AccountRef,
    purpose: string,
    { nonce, credential }: PasskeyAnswer,
  ): Promise<PasskeyColumns | undefined> {
    const { clock, database, nonces } = this.#deps;
    const good = nonces.check(nonce, purpose);
    const handle = credential.response.userHandle ?? undefined;
    if (good === undefined || (handle !== undefined && handle !== userHandle(ref))) return undefined;
    const [passkey] = await passkeyByCredential(database.reader, ref, credential.id);
    if (passkey === undefined) return undefined;
    const changes = await checkAssertion(credential, nonce, relyingParty(this.#deps), passkey);
    if (changes === undefined) return undefined;
    const used = { id: passkey.id, ...changes, last_used_at: clock.now() };
    const isTaken = await database.write(
      async (writer) =>
        (await nonces.take(writer, good)) &&
        (await usePasskey(writer, ref, used, passkey.backup_eligible === 1)),
    );
    return isTaken ? passkey : undefined;
  }

  #takeMailed(ref: AccountRef, act: string, code: string): Promise<boolean> {
    const key = this.#codeKey(ref);
    return writeToAccount(this.#deps.database, this.#kind, ref, async (writer) => {
      // A code for another act stays good for that one.
      if ((await this.#codes.find(writer, key))?.subject !== act) return false;
      return (await this.#codes.redeem(writer, key, code)) !== undefined;
    });
  }

  #codeKey(ref: AccountRef) {
    return { ...this.#kind.owner(ref), purpose: 'presence' } as { person_id: string; purpose: 'presence' };
  }

  /** A nonce is good in the region that made it alone: only there it is known whether it was used. */
  #purpose(ref: AccountRef, act: string): string {
    return JSON.stringify(['presence', this.#deps.regions.own, nameOf(ref), act]);
  }

  /**
   * Good in every region: it is not known yet where the account is at home. An account and its passkeys are in one region at a
   * time, which alone takes their answers and notes that the nonce was used; what one passkey signed is no answer of another. Only
   * a company that moves leaves used nonces behind: for the five minutes that a nonce lives, an answer of one of its logins could be
   * sent once more, by an attacker who read it inside TLS, if the passkey does not count or is copied.
   */
  #signInPurpose(): string {
    return JSON.stringify(['sign in', this.#kind.kind]);
  }

  #isStrong(act: string): boolean {
    return this.#kind.strongActs.has(act);
  }

  #require(ref: AccountRef): Promise<Row> {
    return requireAccount(this.#kind, this.#deps.database.reader, ref);
  }
}

/** Mailed codes are for those who have nothing better. */
function methodsOf(row: AccountRow, passkeys: number): PresenceMethod[] {
  const second = row.totp_enabled_at !== null;
  return [
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(second ? (['totp'] as const) : (['password'] as const)),
    ...(second || passkeys > 0 ? [] : (['mailed_code'] as const)),
  ];
}
