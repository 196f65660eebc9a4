import {
  type AcceptInvitationRequest,
  type AuditAction,
  type Delegate,
  type Invitation,
  type InviteDelegateRequest,
  limits,
  type PortalRole,
} from '@symbolon/protocol';
import { mailboxOf, normalizeEmail } from '../../../access/email.ts';
import { quoted } from '../../../access/login-mails.ts';
import { regionMark } from '../../../access/routed-token.ts';
import { hasRole } from '../../../access/rules.ts';
import type { UniqueNames } from '../../../access/unique-names.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Mail } from '../../../core/mail.ts';
import { lookUp } from '../../../core/secrets.ts';
import { lock, type Reader, type Writer, writeLocked } from '../../../db/database.ts';
import type { MailLimits } from '../../accounts/index.ts';
import { type Credentials, deleteLoginDrafts, deleteLoginPins } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import type { Endings } from '../../participation.ts';
import { deleteLogin, loginById, loginsOf, updateLogin } from '../portal/login-store.ts';
import { checkLoginMaterial, type Logins } from '../portal/logins.ts';
import type { OpenedSession, Origin, Portal } from '../portal/portal.ts';
import type { PortalLoginRow, ReadyLoginRow } from '../portal/tables.ts';
import type { RecoveryKey } from '../recovery/recovery-key.ts';
import {
  companyName,
  deleteInvitation,
  insertInvitation,
  invitationByHash,
  invitationById,
  invitationsOf,
  takeInvitation,
  updateInvitation,
} from './store.ts';
import type { DelegateInvitationRow } from './tables.ts';

/** An invitation is valid for this long. */
const INVITATION_DAYS = 7;
const INVITATION_MS = INVITATION_DAYS * 24 * 60 * 60 * 1000;

/** Who manages delegates: a login of the company, or an account client, which has at most the rights of an admin (wire 5.5). */
export interface Manager {
  readonly companyId: string;
  readonly role: PortalRole;
  readonly actor: Actor;
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'mail' | 'regions' | 'secrets'> {
  readonly logins: Logins;
  readonly portalCredentials: Credentials<PortalLoginRow>;
  readonly recoveryKey: RecoveryKey;
  readonly portal: Portal;
  readonly names: UniqueNames;
  readonly audit: Audit;
  readonly endings: Pick<Endings, 'login'>;
  /** Of one address, so that no mailbox is flooded, and of one company. */
  readonly invitationLimits: MailLimits<'invitation-address' | 'invitation-company'>;
  /** The base URL of the portal. */
  readonly publicUrl: () => string;
}

/**
 * Further logins of a company in its portal. Only an owner can add, change or remove an owner. The company's own login
 * cannot be changed or removed.
 */
export class Delegates {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** All logins of the company, its own among them, and open invitations. */
  async list(companyId: string): Promise<Delegate[]> {
    const { reader } = this.#deps.database;
    const [logins, invitations] = await Promise.all([
      loginsOf(reader, companyId),
      invitationsOf(reader, companyId),
    ]);
    return [...logins.map(ofLogin), ...invitations.map(ofInvitation)];
  }

  /** @throws {PlatformError} delegates.not_found */
  async get(companyId: string, id: string): Promise<Delegate> {
    return this.#find(this.#deps.database.reader, companyId, id);
  }

  /**
   * Invites a person by mail. The answer does not show whether the address has a login at another company; the mail does.
   * @throws {PlatformError} account.email_invalid, delegates.exists, delegates.limit_reached,
   *   auth.role_forbidden, rate_limit.exceeded
   */
  async invite(by: Manager, request: InviteDelegateRequest): Promise<Delegate> {
    const email = normalizeEmail(request.email);
    if (email === undefined) throw new PlatformError('account.email_invalid');
    mayGrant(by, request.role);
    await this.#mayMail(by, email);
    const token = `${regionMark(this.#deps.regions)}${this.#deps.ids.token(32)}`;
    const now = this.#deps.clock.now();
    const row: DelegateInvitationRow = {
      company_id: by.companyId,
      id: this.#deps.ids.uuid(),
      email,
      role: request.role,
      token_hash: this.#deps.secrets.hash(token),
      created_at: now,
      expires_at: now + INVITATION_MS,
    };
    const company = await writeLocked(this.#deps.database, 'companies', by.companyId, async (writer) => {
      const logins = await loginsOf(writer, by.companyId);
      const invitations = await invitationsOf(writer, by.companyId);
      if ([...logins, ...invitations].some((other) => mailboxOf(other.email) === email))
        throw new PlatformError('delegates.exists');
      // The company's own login does not count as a delegate.
      if (logins.length - 1 + invitations.length >= limits.delegatesMost)
        throw new PlatformError('delegates.limit_reached');
      await insertInvitation(writer, row);
      await this.#record(writer, by, 'delegate.invited', row.id, { email, role: row.role });
      return companyName(writer, by.companyId);
    });
    await this.#mail(email, company, token).catch(async (error: unknown) => {
      // The token was not handed out: the call can be repeated.
      await this.#deps.database.write(async (writer) => {
        await deleteInvitation(writer, by.companyId, row.id);
        await this.#record(writer, by, 'delegate.removed', row.id, {
          email,
          reason: 'the mail was not sent',
        });
      });
      throw error;
    });
    return ofInvitation(row);
  }

  /**
   * Mails the invitation once more, with a new token and a new week; the token before is void.
   * @throws {PlatformError} delegates.not_found, delegates.accepted, auth.role_forbidden, rate_limit.exceeded
   */
  async resend(by: Manager, id: string): Promise<Delegate> {
    await this.#mayMail(by, (await this.#find(this.#deps.database.reader, by.companyId, id)).email);
    const token = `${regionMark(this.#deps.regions)}${this.#deps.ids.token(32)}`;
    const expiresAt = this.#deps.clock.now() + INVITATION_MS;
    const { row, company } = await writeLocked(
      this.#deps.database,
      'companies',
      by.companyId,
      async (writer) => {
        const found = await invitationById(writer, by.companyId, id);
        if (found === undefined) {
          await this.#find(writer, by.companyId, id);
          throw new PlatformError('delegates.accepted');
        }
        mayGrant(by, found.role);
        const changes = { token_hash: this.#deps.secrets.hash(token), expires_at: expiresAt };
        await updateInvitation(writer, by.companyId, id, changes);
        await this.#record(writer, by, 'delegate.invited_again', id, { email: found.email });
        return { row: { ...found, ...changes }, company: await companyName(writer, by.companyId) };
      },
    );
    await this.#mail(row.email, company, token);
    return ofInvitation(row);
  }

  /** @throws {PlatformError} delegates.not_found, delegates.last_owner, auth.role_forbidden */
  async setRole(by: Manager, id: string, role: PortalRole): Promise<Delegate> {
    return writeLocked(this.#deps.database, 'companies', by.companyId, async (writer) => {
      const found = await this.#find(writer, by.companyId, id);
      if (found.company_login) throw new PlatformError('delegates.last_owner');
      mayGrant(by, found.role);
      mayGrant(by, role);
      if (found.status === 'active')
        await updateLogin(writer, { companyId: by.companyId, loginId: id }, { role });
      else await updateInvitation(writer, by.companyId, id, { role });
      if (!hasRole(role, 'support')) await this.#takeBack(writer, by.companyId, id);
      if (!hasRole(role, 'admin')) await this.#deps.recoveryKey.unshare(writer, by.companyId, id);
      await this.#record(writer, by, 'delegate.role_changed', id, { from: found.role, to: role });
      return { ...found, role };
    });
  }

  /**
   * Removes a delegate, whose sessions end at once, or withdraws an invitation.
   * @throws {PlatformError} delegates.not_found, delegates.last_owner, auth.role_forbidden
   */
  async remove(by: Manager, id: string): Promise<void> {
    const removed = await writeLocked(this.#deps.database, 'companies', by.companyId, async (writer) => {
      const found = await this.#find(writer, by.companyId, id);
      if (found.company_login) throw new PlatformError('delegates.last_owner');
      mayGrant(by, found.role);
      if (found.status === 'active') {
        await deleteLogin(writer, { companyId: by.companyId, loginId: id });
        await this.#takeBack(writer, by.companyId, id);
        await this.#deps.recoveryKey.unshare(writer, by.companyId, id);
        await deleteLoginPins(writer, { companyId: by.companyId, loginId: id });
        await deleteLoginDrafts(writer, { companyId: by.companyId, loginId: id });
      } else await deleteInvitation(writer, by.companyId, id);
      const action = found.status === 'active' ? 'delegate.removed' : 'delegate.invitation_revoked';
      await this.#record(writer, by, action, id, { email: found.email, role: found.role });
      return found;
    });
    if (removed.status === 'active') {
      const owner = { kind: 'company', id: by.companyId } as const;
      await this.#deps.names.release(owner, [{ kind: 'portal_email', name: removed.email }]);
    }
  }

  /** What an invitation says, for who holds its token. @throws {PlatformError} delegates.invitation_invalid */
  async invitation(token: string): Promise<Invitation> {
    const row = await this.#standing(token);
    return {
      company_name: row.company_name,
      email: row.email,
      role: row.role,
      expires_at: isoTime(row.expires_at),
    };
  }

  /**
   * Makes the login that an invitation promises, and signs it in. The token proves that the
   * person reads mail sent to the address.
   * @throws {PlatformError} account.key_invalid, delegates.invitation_invalid, account.email_taken
   */
  async accept(request: AcceptInvitationRequest, origin: Origin): Promise<OpenedSession> {
    await checkLoginMaterial(request);
    const invitation = await this.#standing(request.token);
    const { company_id: companyId, id, email } = invitation;
    const prepared = await this.#deps.logins.prepare(
      { companyId, id, email, name: request.name, role: invitation.role },
      request,
    );
    const claim = [{ kind: 'portal_email', name: email }] as const;
    const taken = () => new PlatformError('account.email_taken');
    const accept = async (writer: Writer) => {
      await lock(this.#deps.database.engine, writer, 'companies', [companyId]);
      // The role may have been changed while the login secret was hashed.
      const found = await invitationById(writer, companyId, id);
      const now = this.#deps.clock.now();
      if (found === undefined || !(await takeInvitation(writer, invitation.token_hash, now)))
        throw new PlatformError('delegates.invitation_invalid');
      const row: ReadyLoginRow = { ...prepared, role: found.role };
      await this.#deps.logins.add(writer, row);
      const actor: Actor = { kind: 'portal', id, name: email, source: origin.source };
      await this.#record(writer, { companyId, role: found.role, actor }, 'delegate.accepted', id, {
        email,
        role: found.role,
      });
      return row;
    };
    const login = await this.#deps.names.withClaim({ kind: 'company', id: companyId }, claim, taken, () =>
      this.#deps.database.write(accept),
    );
    return this.#deps.portal.open(login, request.session, origin);
  }

  async #standing(token: string) {
    const row = await lookUp(this.#deps.secrets.hashes(token), (hash) =>
      invitationByHash(this.#deps.database.reader, hash),
    );
    if (row === undefined || row.expires_at <= this.#deps.clock.now())
      throw new PlatformError('delegates.invitation_invalid');
    return row;
  }

  async #find(reader: Reader, companyId: string, id: string): Promise<Delegate> {
    const login = await loginById(reader, { companyId, loginId: id });
    if (login !== undefined) return ofLogin(login);
    const invitation = await invitationById(reader, companyId, id);
    if (invitation === undefined) throw new PlatformError('delegates.not_found');
    return ofInvitation(invitation);
  }

  async #takeBack(writer: Writer, companyId: string, loginId: string): Promise<void> {
    for (const hook of this.#deps.endings.login) await hook.takeBack(writer, companyId, loginId);
  }

  async #mayMail(by: Manager, email: string): Promise<void> {
    this.#deps.mail.refuseWhenAway();
    await this.#deps.invitationLimits.consume({
      'invitation-address': this.#deps.secrets.hash(mailboxOf(email)),
      'invitation-company': by.companyId,
    });
  }

  #record(
    writer: Writer,
    by: Manager,
    action: AuditAction,
    target: string,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    return this.#deps.audit.record(writer, {
      companyId: by.companyId,
      actor: by.actor,
      action,
      target,
      details,
    });
  }

  /** One mail either way: the answer and its time do not show whether the address has a login already. */
  async #mail(to: string, company: string, token: string): Promise<void> {
    const isTaken = await this.#deps.portalCredentials.isTaken(to);
    const address = `${this.#deps.publicUrl()}/portal/invitation#${token}`;
    await this.#deps.mail.send(isTaken ? hasLoginMail(to, company) : invitationMail(to, company, address));
  }
}

/** The token stands behind a #: browsers do not send that part to the server. */
function invitationMail(to: string, company: string, address: string): Mail {
  return {
    to,
    subject: `${quoted(company)} invites you to its portal`,
    link: address,
    text: `${quoted(company)} invites you to its Symbolon portal. Choose a name and a password here:

${address}

The link is good for ${INVITATION_DAYS} days, and for you alone. You do not know ${quoted(company)}? Then there is nothing to do.
`,
  };
}

/** An address has one login, at one company. */
function hasLoginMail(to: string, company: string): Mail {
  return {
    to,
    subject: `${quoted(company)} invites you to its portal`,
    text: `${quoted(company)} invites you to its Symbolon portal. This address signs in to the portal of a company already, and
an address can have one sign-in alone. Nothing changes.

To accept, ask ${quoted(company)} to invite another address of yours, or change the address of your sign-in first.
You do not know ${quoted(company)}? Then there is nothing to do.
`,
  };
}

/** Only an owner can make or change an owner. @throws {PlatformError} auth.role_forbidden */
function mayGrant(by: Manager, role: PortalRole): void {
  if (role === 'owner' && !hasRole(by.role, 'owner')) throw new PlatformError('auth.role_forbidden');
}

function ofLogin(row: PortalLoginRow): Delegate {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    status: 'active',
    company_login: row.id === row.company_id,
    two_factor: row.totp_enabled_at !== null,
    created_at: isoTime(row.created_at),
    invitation_expires_at: null,
  };
}

function ofInvitation(row: DelegateInvitationRow): Delegate {
  return {
    id: row.id,
    email: row.email,
    name: null,
    role: row.role,
    status: 'invited',
    company_login: false,
    two_factor: false,
    created_at: isoTime(row.created_at),
    invitation_expires_at: isoTime(row.expires_at),
  };
}
