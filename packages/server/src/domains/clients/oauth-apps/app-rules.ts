import type { AppType, ClaimConfig, CreateOAuthAppRequest } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { redirectUriProblem } from './redirect-uri.ts';

/** @throws {PlatformError} oauth_apps.redirect_uri_invalid */
export function checkRedirectUris(uris: readonly string[], privateHttp: boolean): void {
  const issues = uris.flatMap((uri, index) => {
    const message = redirectUriProblem(uri, privateHttp);
    return message === undefined ? [] : [{ path: `/redirect_uris/${index}`, message }];
  });
  if (issues.length > 0) throw new PlatformError('oauth_apps.redirect_uri_invalid', { details: { issues } });
}

/** Whether an app keeps a secret; it says so in one of two ways. @throws {PlatformError} request.invalid */
export function checkAppType(request: Pick<CreateOAuthAppRequest, 'app_type' | 'confidential'>): AppType {
  const { app_type, confidential } = request;
  const told = confidential === undefined ? undefined : confidential ? 'confidential' : 'public';
  if (app_type !== undefined && told !== undefined && app_type !== told) {
    const issue = { path: '/confidential', message: 'contradicts app_type' };
    throw new PlatformError('request.invalid', { details: { issues: [issue] } });
  }
  return app_type ?? told ?? 'confidential';
}

/** @throws {PlatformError} oauth_apps.claim_config_plugin_invalid, oauth_apps.claim_config_invalid */
export function checkClaimConfig(config: ClaimConfig): ClaimConfig {
  if (config.some((claim) => claim.plugin !== undefined || claim.type !== undefined)) {
    throw new PlatformError('oauth_apps.claim_config_plugin_invalid');
  }
  const names = new Set(config.map((claim) => claim.name));
  const isOdd = ({ name, verified, verified_max_age_days }: ClaimConfig[number]) =>
    // Nothing attests a name: an identity document is compared with the name of its holder alone.
    (verified === true && name !== 'email') || (verified !== true && verified_max_age_days !== undefined);
  if (names.size < config.length || config.some(isOdd)) {
    throw new PlatformError('oauth_apps.claim_config_invalid');
  }
  return config;
}
