import { type ErrorKey, errorCatalogue } from '@symbolon/protocol';
import type { FastifyContextConfig } from 'fastify';
import { isRead, neededRole } from '../access/rules.ts';

/** What every route may answer, whatever it is for (wire 7.1). */
export const commonErrors: readonly ErrorKey[] = [
  'request.invalid',
  'request.malformed',
  'request.too_large',
  'request.unsupported_media_type',
  'request.method_not_allowed',
  'request.not_found',
  'internal',
  'rate_limit.exceeded',
  'rate_limit.unavailable',
  'db.writes_paused',
  'db.unavailable',
  'service.busy',
  'platform.stopping',
  'platform.busy',
  'platform.out_of_order',
  'region.rebase_required',
  'region.unavailable',
];

/** Of routes that take a proof of presence (wire 10.2). */
export const proofErrors = [
  'account.key_invalid',
  'auth.credentials_invalid',
  'auth.passkey_invalid',
  'auth.second_factor_invalid',
  'auth.throttled',
  'auth.two_factor_required',
] as const satisfies readonly ErrorKey[];

/** Of the forwarder (wire 14.4). */
export const pluginErrors = [
  'plugin.busy',
  'plugin.not_responding',
  'plugin.pass_invalid',
  'plugin.rate_limited',
  'plugin.unavailable',
] as const satisfies readonly ErrorKey[];

/** Of routes that take answers to the rows of a service (wire 4). */
export const answerErrors = [
  'contact_data.answers_too_large',
  'contact_data.decision_invalid',
  'contact_data.encryption_required',
  'contact_data.field_changed',
  'contact_data.file_required',
  'contact_data.files_unsupported',
  'contact_data.mandatory',
  'contact_data.not_found',
  'contact_data.one_time_only',
  'contact_data.type_mismatch',
  'contact_data.upload_not_found',
  'contact_data.value_too_large',
  'contact_data.verification_required',
  'contact_data.wrapper_invalid',
] as const satisfies readonly ErrorKey[];

/** The keys of a method of a route beside the common ones: of its access rule, of its body, and those that it declares. */
export function errorsOf(config: FastifyContextConfig, method: string): ErrorKey[] {
  const keys = [
    ...accessErrors(config, method),
    ...Object.values(config.invalidKeys ?? {}),
    ...(config.unavailableKey === undefined ? [] : [config.unavailableKey]),
    ...(config.errors ?? []),
  ];
  return [...new Set(keys)].sort();
}

function accessErrors(config: FastifyContextConfig, method: string): ErrorKey[] {
  const { access, withoutSecondFactor } = config;
  if (access === undefined || access === 'open') return [];
  // Each login of a company is a viewer at least, and each token of the operator reads.
  const refusesRoles =
    (access.includes('portal') && neededRole(config, method) !== 'viewer') ||
    (access.includes('operator') && !isRead(config, method));
  const hasCookie = access.includes('portal') || access.includes('person');
  return [
    'auth.invalid',
    'auth.expired',
    'auth.forbidden',
    // Machine clients get this on every route outside their list, whoever it is for.
    'auth.client_endpoint_forbidden',
    // Data clients of a company that has fallen below its level get this on every route: who calls is looked up first.
    'services.level_required',
    ...(refusesRoles ? (['auth.role_forbidden'] as const) : []),
    ...(access.includes('portal') && !withoutSecondFactor ? (['auth.second_factor_missing'] as const) : []),
    ...(hasCookie ? (['auth.anti_forgery'] as const) : []),
  ];
}

/** Keys by their status in the catalogue. */
export function byStatus(keys: readonly ErrorKey[]): Record<string, ErrorKey[]> {
  const found: Record<string, ErrorKey[]> = {};
  for (const key of keys) {
    const [status] = errorCatalogue[key];
    found[status] = [...(found[status] ?? []), key];
  }
  return found;
}

/** Why a route may not answer a key; undefined when it says that it may. */
export function undeclared(
  route: { readonly method: string; readonly url: string | undefined; readonly config: FastifyContextConfig },
  key: ErrorKey,
): string | undefined {
  const { method, url, config } = route;
  // The document shows neither what only other regions call nor what is at no address.
  if (url === undefined || url.startsWith('/internal/')) return undefined;
  if (commonErrors.includes(key) || errorsOf(config, method).includes(key)) return undefined;
  return `${method} ${url} answers ${key}, which it does not declare: add it to the errors of the route.`;
}
