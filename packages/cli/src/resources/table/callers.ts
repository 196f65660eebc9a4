import type { Caller } from '../../profile/caller.ts';

type Kinds = readonly Caller['kind'][];
/** The company: by an account client, or a login of its portal. */
export const COMPANY: Kinds = ['account client', 'portal session', 'token'];
/** A login of the portal alone. */
export const PORTAL: Kinds = ['portal session', 'token'];
/** A service's data client. */
export const DATA: Kinds = ['data client', 'token'];
export const ANY: Kinds = ['account client', 'portal session', 'data client', 'token'];
