import type { FieldTypeRegistry } from '@symbolon/field-types';
import {
  type ClaimConfig,
  type ConsentClaim,
  type ConsentMode,
  limits,
  PLUGIN_TYPE,
  type RowPlugin,
  RowPluginInput,
} from '@symbolon/protocol';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { SignInApp } from '../../clients/index.ts';
import { ConsentFault, type ConsentParameters, invalid } from './parameters.ts';

/** Types whose values the platform can attest. Of their descendants it attests what the person's field says. */
const ATTESTABLE = ['email', 'phone', 'address'] as const;
/** The claims of the standard scopes (OpenID Connect Core 5.4) and their types. */
const STANDARD: ReadonlyMap<string, { scope: string; type: string }> = new Map([
  ['name', { scope: 'profile', type: 'text' }],
  ['email', { scope: 'email', type: 'email' }],
]);

/** A claim as an app sends it. */
const Claim = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: limits.shownText }),
    type: Type.String({ minLength: 1, maxLength: 40 }),
    suggest: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Boolean(), Type.Null()])),
    required: Type.Optional(Type.Boolean()),
    verified: Type.Optional(Type.Boolean()),
    verified_max_age_days: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()]),
    ),
    label: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 200, pattern: limits.shownText }), Type.Null()]),
    ),
    plugin: Type.Optional(Type.Union([RowPluginInput, Type.Null()])),
  },
  { additionalProperties: false },
);
const SentClaim = Compile(Claim);

type Asked = Omit<ConsentClaim, 'delivery'>;

/** What decides about claims beside the app. */
export interface ClaimSources {
  readonly registry: FieldTypeRegistry;
  /** What a plugin of the app's company says of a field type; undefined when it has not described it. */
  readonly described: (pluginId: string, fieldType: string) => Promise<RowPlugin | undefined>;
}

/** What plugins said, of all claims together: a request travels with it. */
const PLUGIN_CHARACTERS_MOST = 32_768;

/**
 * The claims that a person is asked for.
 * @throws {ConsentFault} invalid_request
 */
export async function claimsOf(
  parameters: ConsentParameters,
  app: SignInApp,
  sources: ClaimSources,
): Promise<ConsentClaim[]> {
  const { mode } = parameters;
  const sent = parameters.claims === null ? [] : await readClaims(parameters.claims, mode, sources);
  if (mode === '2fa_enroll' && sent.length > 0) throw invalid('2fa_enroll takes no claims.');
  const asked = mode === 'oidc' ? withStandard(sent, parameters.scope ?? '', app) : sent;
  if (asked.length > limits.claimsMost) throw invalid(`There are more than ${limits.claimsMost} claims.`);
  const isPlain = (claim: Asked) =>
    mode === 'oidc' && app.claims_delivery === 'plaintext' && STANDARD.has(claim.name);
  const claims = asked.map((claim) => ({
    ...claim,
    delivery: isPlain(claim) ? ('plaintext' as const) : ('wrapper' as const),
  }));
  if (app.public_key === null && claims.some((claim) => claim.delivery === 'wrapper')) {
    throw invalid('The app has no key to which claims could be sealed.');
  }
  return claims;
}

/** @throws {ConsentFault} */
async function readClaims(text: string, mode: ConsentMode, sources: ClaimSources): Promise<Asked[]> {
  const sent = parsed(text);
  // The standard's object; of its claims those of the standard scopes mean something here (OpenID Connect Core 5.5).
  if (mode === 'oidc' && isObject(sent)) return standardObject(sent);
  if (!Array.isArray(sent)) throw invalid('claims must be a JSON array of claims.');
  if (sent.length > limits.claimsMost) throw invalid(`There are more than ${limits.claimsMost} claims.`);
  const claims = await Promise.all(sent.map((claim: unknown) => readClaim(claim, mode, sources)));
  const names = new Set(claims.map(({ name }) => name));
  if (names.size < claims.length) throw invalid('Two claims have the same name.');
  if (JSON.stringify(claims.map(({ plugin }) => plugin)).length > PLUGIN_CHARACTERS_MOST)
    throw invalid('The plugins of the claims describe too much for one request.');
  return claims;
}

/** @throws {ConsentFault} */
async function readClaim(sent: unknown, mode: ConsentMode, sources: ClaimSources): Promise<Asked> {
  const { registry } = sources;
  if (!SentClaim.Check(sent)) {
    const [issue] = SentClaim.Errors(sent);
    throw invalid(
      `A claim is malformed${issue === undefined ? '' : `: ${issue.instancePath} ${issue.message}`}.`,
    );
  }
  const { name, type, verified = false } = sent;
  const plugin = await pluginOfClaim(sent, sources);
  if (plugin === undefined && !registry.isClaimable(type))
    throw invalid('A claim has a type that cannot be claimed.');
  if (mode === 'oidc' && STANDARD.has(name) && STANDARD.get(name)?.type !== type)
    throw invalid(`The claim ${name} has the type ${STANDARD.get(name)?.type}.`);
  const maxAge = sent.verified_max_age_days ?? null;
  if (maxAge !== null && !verified) throw invalid('verified_max_age_days was sent without verified.');
  if (verified && mode !== 'oidc') throw invalid('verified is for requests of OpenID Connect.');
  if (verified && !ATTESTABLE.some((attestable) => registry.accepts(attestable, type)))
    throw invalid('A claim asks for verified, but no value of its type can be verified.');
  return {
    name,
    type,
    label: sent.label ?? null,
    suggest: sent.suggest ?? null,
    required: sent.required ?? false,
    verified,
    verified_max_age_days: maxAge,
    ...(plugin && { plugin }),
  };
}

/** The plugin that answers a claim. @throws {ConsentFault} */
async function pluginOfClaim(
  { type, plugin }: Static<typeof Claim>,
  { described }: ClaimSources,
): Promise<ConsentClaim['plugin']> {
  if (type !== PLUGIN_TYPE) {
    if (plugin) throw invalid('A claim names a plugin, but is of another type.');
    return undefined;
  }
  if (!plugin) throw invalid('A claim of the type plugin needs a plugin.');
  const { plugin_id, field_type } = plugin;
  const said = await described(plugin_id, field_type);
  if (said === undefined)
    throw invalid(
      'A claim names a plugin that the company does not have, or that has not described this field type.',
    );
  if (said.snapshot.inputs.some(({ required }) => required))
    throw invalid('A claim names a field type with a required input, which only a flow can fill.');
  return { plugin_id, ...said };
}

/**
 * Has the person prove again to be present where the app wants `auth_time` as an essential claim: the id_token carries it then,
 * as with `max_age` (OpenID Connect Core 2, 5.5).
 * @throws {ConsentFault} login_required, unmet_authentication_requirements: what the id_token would have to promise is not offered
 */
export function withAuthTime(parameters: ConsentParameters): ConsentParameters {
  const sent = parameters.claims === null ? undefined : parsed(parameters.claims);
  const wanted = parameters.mode === 'oidc' && isObject(sent) && isObject(sent.id_token) ? sent.id_token : {};
  const { auth_time, sub, acr } = wanted;
  // Core 3.1.2.2 4: another person must not take this person's place. The platform does not choose who signs in.
  if (isObject(sub) && sub.value !== undefined)
    throw new ConsentFault('login_required', 'sub cannot be asked for with a value.');
  // Core 5.5.1.1.
  if (isObject(acr) && acr.essential === true)
    throw new ConsentFault('unmet_authentication_requirements', 'acr is not supported.');
  const isEssential = isObject(auth_time) && auth_time.essential === true;
  return isEssential ? { ...parameters, fresh: true } : parameters;
}

/** @throws {ConsentFault} */
function standardObject(sent: Readonly<Record<string, unknown>>): Asked[] {
  const wanted = new Map<string, boolean>();
  for (const part of [sent.userinfo, sent.id_token]) {
    if (part === undefined) continue;
    if (!isObject(part)) throw invalid('A member of claims is not an object.');
    for (const [name, how] of Object.entries(part)) {
      if (how !== null && !isObject(how)) throw invalid('A member of claims is not an object.');
      if (STANDARD.has(name)) wanted.set(name, how?.essential === true || wanted.get(name) === true);
    }
  }
  return [...wanted].map(([name, essential]) => ({ ...standardClaim(name), required: essential }));
}

/** Adds the claims of the scopes, and what the app wants of them: the stricter holds. */
function withStandard(sent: readonly Asked[], scope: string, app: SignInApp): Asked[] {
  const scopes = scope.split(' ');
  const config = JSON.parse(app.claim_config) as ClaimConfig;
  const present = new Set(sent.map(({ name }) => name));
  const scoped = [...STANDARD]
    .filter(([name, claim]) => scopes.includes(claim.scope) && !present.has(name))
    .map(([name]) => standardClaim(name));
  return [...scoped, ...sent].map((claim) => {
    const own = config.find(({ name }) => name === claim.name);
    if (own === undefined) return claim;
    const ages = [claim.verified_max_age_days, own.verified_max_age_days].filter(
      (age) => typeof age === 'number',
    );
    return {
      ...claim,
      required: claim.required || own.required === true,
      verified: claim.verified || own.verified === true,
      verified_max_age_days: ages.length === 0 ? null : Math.min(...ages),
    };
  });
}

function standardClaim(name: string): Asked {
  return {
    name,
    type: STANDARD.get(name)?.type ?? 'text',
    label: null,
    suggest: null,
    required: false,
    verified: false,
    verified_max_age_days: null,
  };
}

/** @throws {ConsentFault} */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('claims must be JSON.');
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
