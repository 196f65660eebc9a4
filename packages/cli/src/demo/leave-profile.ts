import { PortalClient } from '@symbolon/sdk/portal';
import { readProfile, removeProfile, writeProfile } from '../profile/profile.ts';
import type { Credentials } from './leave-behind.ts';

/** The name under which a demo that stays leaves its session for `listen` and `trigger`. */
export const DEMO_PROFILE = 'demo';

/** Signs the demo's company in as `symbolon login` would. The function it gives forgets that again. */
export async function leaveProfile(url: string, credentials: Credentials): Promise<() => void> {
  const { portal_email: email, portal_password: password, service_code, config_file } = credentials;
  const portal = await PortalClient.signIn({ baseUrl: url, email, password });
  const { items } = await portal.services();
  const service = items.find(({ share_code }) => share_code === service_code);
  const { token, expiresAt } = portal.session;
  writeProfile(DEMO_PROFILE, {
    base_url: url,
    email,
    token,
    expires_at: expiresAt,
    recovery_key_fingerprint: credentials.recovery_key_fingerprint,
    config_file,
    ...(service && { service_id: service.id }),
  });
  return () => {
    // A later demo may have put its own in the place.
    if (readProfile(DEMO_PROFILE)?.token === token) removeProfile(DEMO_PROFILE);
  };
}
