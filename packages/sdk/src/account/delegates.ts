import type { Delegate, InviteDelegateRequest, PortalRole } from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';

/** The people of a company who sign in to its portal: `delegates` of a portal or account client. */
export class DelegatesClient {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** All delegates, the company's own login and the open invitations. */
  async list(): Promise<Delegate[]> {
    const { items } = await this.#api.json<{ items: Delegate[] }>({ method: 'GET', path: '/api/delegates' });
    return items;
  }

  /** @throws NotFoundError `delegates.not_found` */
  get(id: string): Promise<Delegate> {
    return this.#api.json({ method: 'GET', path: path`/api/delegates/${id}` });
  }

  /**
   * Invites a person by mail. The invitation is valid for seven days.
   *
   * @throws ConflictError `delegates.exists`, `account.email_taken`, `delegates.limit_reached`; ForbiddenError
   * `auth.role_forbidden`: only owners can invite owners
   */
  invite(invitation: InviteDelegateRequest): Promise<Delegate> {
    return this.#api.json({ method: 'POST', path: '/api/delegates', json: invitation });
  }

  /** Mails an invitation once more; the one before is void. @throws ConflictError `delegates.accepted` */
  resend(id: string): Promise<Delegate> {
    return this.#api.json({ method: 'POST', path: path`/api/delegates/${id}/resend` });
  }

  /** In effect at once. @throws ConflictError `delegates.last_owner`: the company's own login stays an owner */
  setRole(id: string, role: PortalRole): Promise<Delegate> {
    return this.#api.json({ method: 'PUT', path: path`/api/delegates/${id}`, json: { role } });
  }

  /** Removes a delegate and ends their sessions at once, or cancels an invitation. */
  remove(id: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/delegates/${id}` });
  }
}
