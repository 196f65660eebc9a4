import type { PortalRole, Presence } from '@symbolon/protocol';

/** A proof of presence that was checked with the call, and for which act. It goes along when the call is sent on. */
export interface CheckedPresence extends Presence {
  readonly act: string;
}

/** Who calls. */
export type Principal =
  | {
      readonly kind: 'data_client';
      readonly clientId: string;
      readonly companyId: string;
      readonly serviceId: string;
      readonly endpoints: readonly string[];
    }
  | {
      readonly kind: 'account_client';
      readonly clientId: string;
      readonly companyId: string;
      readonly endpoints: readonly string[];
    }
  | {
      readonly kind: 'portal';
      readonly companyId: string;
      /** Of the one who signed in; the company's own login has the company's id. */
      readonly loginId: string;
      readonly email: string;
      readonly role: PortalRole;
      readonly sessionId: string;
      readonly sessionHash: string;
      /** Whether the session was opened with a code or a passkey, or not asked on a trusted device. */
      readonly factor: 'code' | 'passkey' | null;
      /** The company requires a second factor that the login does not have. */
      readonly lacksFactor: boolean;
      readonly presence?: CheckedPresence;
    }
  | {
      readonly kind: 'person';
      readonly personId: string;
      /** Of the credentials with which the person is signed in; regions of an older version do not tell it. */
      readonly epoch?: number;
      /** The home region, when that is another. */
      readonly home?: string;
      /** Of a browser that is signed in by cookie. */
      readonly sessionId?: string;
      readonly presence?: CheckedPresence;
    }
  /** A sign-in app that reads what one person approved for it. */
  | {
      readonly kind: 'sign_in';
      readonly companyId: string;
      readonly clientId: string;
      readonly signInId: string;
    }
  /** Another region of this platform, or its front door. */
  | { readonly kind: 'peer'; readonly region: string }
  | {
      readonly kind: 'operator';
      /** False: the token only reads. */
      readonly mayAct: boolean;
    };

export type CallerKind = Principal['kind'];

/** The company or the person that a caller acts for; undefined for other regions and the operator. */
export function accountOf(principal: Principal): string | undefined {
  if ('companyId' in principal) return principal.companyId;
  return principal.kind === 'person' ? principal.personId : undefined;
}

/** What rate limits and logs know a caller by. */
export function callerId(principal: Principal): string {
  switch (principal.kind) {
    case 'data_client':
    case 'account_client':
      return principal.clientId;
    case 'portal':
      return principal.loginId;
    case 'sign_in':
      return principal.signInId;
    case 'person':
      return principal.personId;
    case 'peer':
      return `peer ${principal.region}`;
    case 'operator':
      return 'operator';
  }
}
