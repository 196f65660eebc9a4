import type { ConsentRequest, OpenedConsent } from '@symbolon/protocol';
import { UnconfirmedKeyError } from '../http/errors.ts';

/** The claims of OpenID Connect's own scopes: these alone may be handed over readable (wire 10.4). */
const STANDARD: ReadonlySet<string> = new Set(['name', 'email']);

/**
 * The request as the address that was opened has it, and not as the answer does: it is of the app in the address, and a claim is
 * handed over readable only where the address is a standard request of OpenID Connect, for the claims of its scopes.
 *
 * @param query of the page's address
 * @throws UnconfirmedKeyError `sdk.owner_changed` when the platform names another app
 */
export function asAsked(query: string, opened: OpenedConsent): OpenedConsent {
  if ('redirect_to' in opened) return opened;
  const sent = new URLSearchParams(query);
  const asked = sent.get('client_id');
  if (opened.app.client_id !== asked) {
    const message =
      'Nothing was sealed: the platform names another app than the address that was opened. Go back to the site and start again.';
    const details = { client_id: opened.app.client_id, confirmed: [asked ?? ''] };
    throw new UnconfirmedKeyError({ errorKey: 'sdk.owner_changed', message, details });
  }
  const isStandard = !sent.get('mode');
  const claims = opened.claims.map((claim): ConsentRequest['claims'][number] =>
    isStandard && STANDARD.has(claim.name) ? claim : { ...claim, delivery: 'wrapper' },
  );
  return { ...opened, claims };
}
