import type { Delegate, InviteDelegateRequest, PortalRole } from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';

/** The people of a company who sign in to its portal: `delegates` of a portal or account client. */
export class DelegatesClient {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Everybody, the company's own login among them, and who is invited. */
  async list(): Promise<Delegate[]> {
    const { items } = await this.#api.json<{ items: Delegate[] }>({ method: 'GET', path: '/api/delegates' });
    return items;
  }

  /** @throws NotFoundError `delegates.not_found` */
  get(id: string): Promise<Delegate> {
    return this.#api.json({ method: 'GET', path: path`/api/delegates/${id}` });
  }

  /**
   * Invites somebody by mail, for seven days.
   *
   * @throws ConflictError `delegates.exists`, `account.email_taken`, `delegates.limit_reached`; ForbiddenError
   * `auth.role_forbidden`: owners are made by owners alone
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

  /** Removes somebody, whose sessions end at once, or takes an invitation back. */
  remove(id: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/delegates/${id}` });
  }
}
