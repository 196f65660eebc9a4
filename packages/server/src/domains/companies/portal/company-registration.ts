import { fingerprint, generateKeyPair } from '@symbolon/crypto';
import type {
  CompanyLevel,
  MailedTicket,
  PortalAccount,
  PortalConfirmRequest,
  PortalRegisterRequest,
} from '@symbolon/protocol';
import { registering } from '../../../access/passwords.ts';
import type { UniqueNames } from '../../../access/unique-names.ts';
import type { Replication } from '../../../events/replication.ts';
import type { AddressProof, Registration } from '../../accounts/index.ts';
import { assignShareCode } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import { checkRecoveryKey, type RecoveryKey } from '../recovery/recovery-key.ts';
import { insertCompany } from './company-store.ts';
import { checkLoginMaterial, type Logins } from './logins.ts';
import type { OpenedSession, Origin, Portal } from './portal.ts';
import { accountKeyPlace } from './stored-places.ts';
import type { CompanyRow, PortalSessionRow, ReadyLoginRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets'> {
  readonly logins: Logins;
  readonly portal: Portal;
  readonly registration: Registration;
  readonly recoveryKey: RecoveryKey;
  readonly names: UniqueNames;
  readonly audit: Audit;
  readonly replication: Replication;
  /** Of a company that registers. */
  readonly defaultLevel: CompanyLevel;
}

/** How companies come to be. */
export class CompanyRegistration {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Registers a company: mails a code or, in a closed installation, makes the account at once.
   * @throws {PlatformError} account.email_invalid, account.key_invalid, account.recovery_key_invalid,
   *   account.confirmation_required, account.email_taken, rate_limit.exceeded, platform.busy
   */
  async register(request: PortalRegisterRequest, origin: Origin): Promise<MailedTicket | OpenedSession> {
    if (request.account !== undefined) await checkAccount(request.account);
    return this.#deps.registration.start(request, (account, proof) =>
      this.#create(account, proof, origin, request.session),
    );
  }

  /**
   * Makes the company and signs its own login in.
   * @throws {PlatformError} account.key_invalid, account.recovery_key_invalid, account.code_invalid, platform.busy
   */
  async confirm(request: PortalConfirmRequest, origin: Origin): Promise<OpenedSession> {
    await checkAccount(request.account);
    return this.#deps.registration.finish(request, (account, proof) =>
      this.#create(account, proof, origin, request.session),
    );
  }

  /** A code, an account key pair that the server holds, the recovery key that the device made, the first login. */
  async #create(
    account: PortalAccount,
    proof: AddressProof,
    origin: Origin,
    transport: PortalSessionRow['transport'] | undefined,
  ): Promise<OpenedSession> {
    const { email, taken } = proof;
    const id = this.#deps.ids.uuid();
    const name = account.name.trim();
    const own = { companyId: id, id, email, name, role: 'owner' } as const;
    // Hashing and making keys are slow, so only a few companies register at a time.
    const { login, row } = await registering.run(async () => {
      const prepared = await this.#deps.logins.prepare(own, account);
      return { login: prepared, row: await this.#companyRow(prepared, account) };
    });
    const owner = { kind: 'company', id } as const;
    await this.#deps.names.withClaim(owner, [{ kind: 'portal_email', name: email }], taken, async () => {
      const claimed = await this.#deps.names.claimShareCode(owner);
      await this.#deps.database.write(async (writer) => {
        await proof.redeem(writer);
        await this.#deps.logins.add(writer, login, taken);
        row.code = await assignShareCode(writer, this.#deps.ids, owner, claimed);
        await insertCompany(writer, row);
        await this.#deps.recoveryKey.share(writer, id, id, account.recovery_key.sealed);
        await this.#deps.replication.companyChanged(writer, id);
        const actor: Actor = { kind: 'portal', id, name: email, source: origin.source };
        await this.#deps.audit.record(writer, {
          ...{ companyId: id, actor, action: 'company.registered', target: id },
        });
      });
    });
    await this.#deps.names.confirmShareCode(owner, row.code);
    return this.#deps.portal.open(login, transport, origin);
  }

  async #companyRow({ id, name, email }: ReadyLoginRow, account: PortalAccount): Promise<CompanyRow> {
    const pair = await generateKeyPair();
    const now = this.#deps.clock.now();
    return {
      id,
      name,
      email,
      code: '',
      account_public_key: pair.publicKey,
      account_public_key_sha256: await fingerprint(pair.publicKey),
      account_private_key: this.#deps.secrets.encrypt(pair.privateKey, accountKeyPlace(id)),
      recovery_public_key: account.recovery_key.public_key,
      recovery_private_key: '',
      level: this.#deps.defaultLevel,
      created_at: now,
      region: null,
      card_version: now,
      second_factor_required: 0,
    };
  }
}

/** @throws {PlatformError} account.key_invalid, account.recovery_key_invalid */
async function checkAccount(account: PortalAccount): Promise<void> {
  await checkLoginMaterial(account);
  await checkRecoveryKey(account.recovery_key);
}
