/** The paths that a new data client may call (wire 5.3). */
export const dataClientWhitelist: readonly string[] = [
  '/api/company-data/*',
  '/api/contact-fields*',
  '/api/contact-field-types*',
  '/api/keys/*',
  '/api/service-2fa/*',
];

/** The entry of a client without any access; it matches no path (wire 5.3). */
export const DENY_ALL = '__deny_all__';

/** Prefixes of client ids (wire 2.1); sign-in apps have their own. */
export const clientIdPrefix = { data: 'svc_', account: 'acct_', app: 'app_' } as const;

/** The paths that every account client may call, without any capability (wire 5.5). */
export const accountClientBaseline: readonly string[] = [
  '/api/account',
  '/api/profile',
  '/oauth2/token',
  '/api/contact-field-types*',
];

/** The capability groups of account clients. A group is granted as a whole (wire 5.5). */
export const capabilityPatterns = {
  service_management: ['/api/services*', '/api/account/recovery-*'],
  company_profile_fields: ['/api/contact-data*', '/api/contact-fields*', '/api/photos*'],
  customer_connections: ['/api/company-connections*', '/api/customer/*', '/api/keys*'],
  oauth_apps: ['/api/account/oauth-apps*', '/api/account/recovery-*'],
  delegate_management: ['/api/delegates*'],
} as const satisfies Record<string, readonly string[]>;
export type Capability = keyof typeof capabilityPatterns;
/** All capabilities, in the order in which they are listed. */
export const capabilities = Object.keys(capabilityPatterns) as Capability[];

/** The paths that no account client can call, only a portal login of the company (wire 5.5). */
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

/**
 * Prefixes of the purposes of clients that the platform makes for CRM and shop integrations (wire 2.1); an operator may
 * configure others.
 */
export const reservedPurposePrefixes: readonly string[] = [
  'crm:',
  'shop:',
  'commerce:',
  'store:',
  'shopify:',
  'woocommerce:',
];

/** The roles in a company's portal. Each role includes those before it. */
export const portalRoles = ['viewer', 'support', 'developer', 'admin', 'owner'] as const;
