/** What a fresh data client may call (wire 5.3). */
export const dataClientWhitelist: readonly string[] = [
  '/api/company-data/*',
  '/api/contact-fields*',
  '/api/contact-field-types*',
  '/api/keys/*',
  '/api/service-2fa/*',
];

/** The entry of a client that is meant to hold nothing; it matches no path (wire 5.3). */
export const DENY_ALL = '__deny_all__';

/** Prefixes of client ids (wire 2.1); sign-in apps have one of their own. */
export const clientIdPrefix = { data: 'svc_', account: 'acct_', app: 'app_' } as const;

/** What every account client may call, whatever it was granted (wire 5.5). */
export const accountClientBaseline: readonly string[] = [
  '/api/account',
  '/api/profile',
  '/oauth2/token',
  '/api/contact-field-types*',
];

/** The capability groups of account clients: each is granted whole or not at all (wire 5.5). */
export const capabilityPatterns = {
  service_management: ['/api/services*', '/api/account/recovery-*'],
  company_profile_fields: ['/api/contact-data*', '/api/contact-fields*', '/api/photos*'],
  customer_connections: ['/api/company-connections*', '/api/customer/*', '/api/keys*'],
  oauth_apps: ['/api/account/oauth-apps*', '/api/account/recovery-*'],
  delegate_management: ['/api/delegates*'],
} as const satisfies Record<string, readonly string[]>;
export type Capability = keyof typeof capabilityPatterns;
/** All of them, in the order in which they are told. */
export const capabilities = Object.keys(capabilityPatterns) as Capability[];

/** What no account client can ever call: a company's portal login alone does (wire 5.5). */
export const portalOnlyPatterns: readonly string[] = [
  '/api/account/password',
  '/api/account/email',
  '/api/account/2fa*',
  '/api/account/delete-request',
  '/api/account/confirm-delete',
  '/api/account/trusted-devices*',
  '/api/profile/migrate-region',
  '/api/profile/keys',
  '/api/account-key',
];

/** Purposes that begin so belong to clients which a feature of the platform mints: CRM and shop integrations (wire 2.1). */
export const reservedPurposePrefixes: readonly string[] = ['crm:', 'shop:'];

/** What people of a company may be in its portal: each role may do what those before it may. */
export const portalRoles = ['viewer', 'support', 'developer', 'admin', 'owner'] as const;
