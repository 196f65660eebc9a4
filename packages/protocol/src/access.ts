/** What a fresh data client may call (spec 5.3). */
export const dataClientWhitelist: readonly string[] = [
  '/api/company-data/*',
  '/api/contact-fields*',
  '/api/contact-field-types*',
  '/api/keys/*',
  '/api/service-2fa/*',
];

/** The entry of a client that is meant to hold nothing; it matches no path (spec 5.3). */
export const DENY_ALL = '__deny_all__';

/** Prefixes of client ids (spec 2.1). */
export const clientIdPrefix = { data: 'svc_', account: 'acct_' } as const;
