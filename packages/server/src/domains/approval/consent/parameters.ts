import { type ConsentMode, limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { hasNul, NUL_REFUSED } from '../../../core/nul.ts';
import { sentParameters } from '../../../core/sent-parameters.ts';

/** What a request at the consent page says. */
export interface ConsentParameters {
  readonly mode: ConsentMode;
  readonly detached: boolean;
  /** Of `connect` and `2fa_enroll`: the app's service, as the person is shown it. */
  readonly serviceId: string | null;
  readonly redirectUri: string | null;
  readonly state: string | null;
  /** S256 (RFC 7636). */
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly scope: string | null;
  /** As it was sent. */
  readonly claims: string | null;
  /** Of `oidc`: the page may ask nothing. */
  readonly silent: boolean;
  /** Of `oidc`: the person proves again to be present. */
  readonly fresh: boolean;
}

/** Why a request is refused, as the app receives it (RFC 6749 4.1.2.1, OpenID Connect Core 3.1.2.6). */
export type ConsentError =
  | 'invalid_request'
  | 'invalid_scope'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'unauthorized_client'
  | 'login_required'
  | 'consent_required'
  | 'unmet_authentication_requirements'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported';

/** A request that its app is to correct. */
export class ConsentFault extends Error {
  override readonly name = 'ConsentFault';
  readonly code: ConsentError;

  constructor(code: ConsentError, text: string) {
    super(text);
    this.code = code;
  }
}

export const invalid = (text: string) => new ConsentFault('invalid_request', text);

/** Parameters that count; all others are ignored (RFC 6749 3.1). */
const KNOWN = [
  'client_id',
  'redirect_uri',
  'mode',
  'response_mode',
  'response_type',
  'state',
  'code_challenge',
  'code_challenge_method',
  'claims',
  'scope',
  'nonce',
  'prompt',
  'max_age',
  'request',
  'request_uri',
  'registration',
] as const;
type Name = (typeof KNOWN)[number];

/** The parameters of a request by name. */
export class SentParameters {
  readonly #values = new Map<string, string>();
  readonly #repeated = new Set<string>();

  /** @throws {PlatformError} request.malformed */
  constructor(query: string) {
    for (const [name, value] of sentParameters(query)) {
      if (!KNOWN.some((known) => known === name)) continue;
      if (hasNul(value)) throw new PlatformError('request.malformed', { text: NUL_REFUSED });
      if (this.#values.has(name)) this.#repeated.add(name);
      else this.#values.set(name, value);
    }
  }

  get(name: Name): string | undefined {
    return this.#values.get(name);
  }

  isRepeated(name: Name): boolean {
    return this.#repeated.has(name);
  }

  /** @throws {ConsentFault} invalid_request for a parameter that stands more than once */
  refuseRepeated(): void {
    const [name] = this.#repeated;
    if (name !== undefined) throw invalid(`The parameter ${name} is repeated.`);
  }

  /** Whether another screen waits for the answer: then there is no address at which to tell the app what is wrong. */
  get detached(): boolean {
    return this.get('response_mode') === 'detached';
  }

  /** The state, where it can be given back. */
  get state(): string | undefined {
    const state = this.get('state');
    return this.isRepeated('state') || (state?.length ?? 0) > limits.consentStateMost ? undefined : state;
  }
}

const MODES: ReadonlySet<string> = new Set<ConsentMode>(['signin', 'one_time', 'connect', '2fa_enroll']);

/**
 * Reads the parameters of a request whose client and redirect URI were found good.
 * @param app.isPublic whether it has no secret: then only PKCE binds the code to it
 * @throws {ConsentFault}
 */
export function readParameters(
  sent: SentParameters,
  { isPublic, serviceId }: { isPublic: boolean; serviceId: string | null },
): ConsentParameters {
  sent.refuseRepeated();
  const mode = modeOf(sent);
  const detached = isDetached(sent, mode);
  const state = sent.get('state') ?? null;
  if (state !== null && state.length > limits.consentStateMost) {
    throw invalid(`state has more than ${limits.consentStateMost} characters.`);
  }
  if (detached && (state === null || state.length < limits.detachedStateLeast)) {
    throw invalid(`A detached request needs a state of at least ${limits.detachedStateLeast} characters.`);
  }
  const codeChallenge = mode === '2fa_enroll' ? null : challengeOf(sent);
  if (codeChallenge === null && isPublic && mode !== '2fa_enroll') {
    throw invalid('An app without a secret needs PKCE: send code_challenge with code_challenge_method=S256.');
  }
  const common = {
    mode,
    detached,
    serviceId: needsService({ mode }) ? serviceId : null,
    redirectUri: sent.get('redirect_uri') ?? null,
    state,
    codeChallenge,
    claims: sent.get('claims') ?? null,
  };
  if (mode !== 'oidc') return { ...common, nonce: null, scope: null, silent: false, fresh: false };
  return { ...common, ...standardParameters(sent) };
}

/** Whether a request is about the app's service. */
export const needsService = ({ mode }: Pick<ConsentParameters, 'mode'>) =>
  mode === 'connect' || mode === '2fa_enroll';

/** @throws {ConsentFault} */
function modeOf(sent: SentParameters): ConsentMode {
  const mode = sent.get('mode');
  if (mode === undefined) {
    const type = sent.get('response_type');
    if (type === undefined) throw invalid('The parameter mode is missing.');
    if (type !== 'code') throw new ConsentFault('unsupported_response_type', 'response_type must be code.');
    return 'oidc';
  }
  if (!MODES.has(mode)) throw invalid('mode must be signin, one_time, connect or 2fa_enroll.');
  return mode as ConsentMode;
}

/** @throws {ConsentFault} */
function isDetached(sent: SentParameters, mode: ConsentMode): boolean {
  const responseMode = sent.get('response_mode') ?? 'redirect';
  if (responseMode === 'detached') return true;
  // The name that the standard has for a redirect with a query.
  if (responseMode === 'redirect' || (mode === 'oidc' && responseMode === 'query')) return false;
  throw invalid('response_mode must be redirect or detached.');
}

/** @throws {ConsentFault} */
function challengeOf(sent: SentParameters): string | null {
  const challenge = sent.get('code_challenge');
  const method = sent.get('code_challenge_method');
  if (challenge === undefined) {
    if (method !== undefined) throw invalid('code_challenge_method was sent without code_challenge.');
    return null;
  }
  // Without the method it is `plain` (RFC 7636 4.3), which proves nothing to who reads the address.
  if (method !== 'S256') throw invalid('code_challenge_method must be S256.');
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw invalid('code_challenge must be 43 characters of base64url.');
  return challenge;
}

const PROMPTS: ReadonlySet<string> = new Set(['none', 'login', 'consent', 'select_account']);

/** What the standard adds. @throws {ConsentFault} */
function standardParameters(
  sent: SentParameters,
): Pick<ConsentParameters, 'nonce' | 'scope' | 'silent' | 'fresh'> {
  for (const name of ['request', 'request_uri', 'registration'] as const) {
    if (sent.get(name) !== undefined)
      throw new ConsentFault(`${name}_not_supported`, `The parameter ${name} is not supported.`);
  }
  const scope = sent.get('scope');
  if (!scope?.split(' ').includes('openid'))
    throw new ConsentFault('invalid_scope', 'scope must contain openid.');
  const nonce = sent.get('nonce') ?? null;
  if (nonce !== null && nonce.length > 500) throw invalid('nonce has more than 500 characters.');
  const prompts = sent.get('prompt')?.split(' ') ?? [];
  const unknown = prompts.find((prompt) => !PROMPTS.has(prompt));
  if (unknown !== undefined) throw invalid('prompt must be none, login, consent or select_account.');
  const silent = prompts.includes('none');
  if (silent && prompts.length > 1) throw invalid('prompt=none cannot be combined with other values.');
  const maxAge = sent.get('max_age');
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge))
    throw invalid('max_age must be a number of seconds.');
  // A person who proves again to be present has signed in just now, whatever the age asked for.
  return { nonce, scope, silent, fresh: maxAge !== undefined || prompts.includes('login') };
}
