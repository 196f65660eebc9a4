import type {
  Audience,
  ChangeFeedState,
  CreateServiceRequest,
  DataClient,
  DataClientWithSecret,
  RequestFieldConfig,
  RequestFieldInput,
  Service,
} from '@symbolon/protocol';
import { NotFoundError } from '@symbolon/sdk/device';
import { onDevice } from '../device.ts';
import type { Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

const PAGE = 100;
const SERVICES = '/api/services';
const at = (id: string, part = '') => `${SERVICES}/${id}${part}`;

/** Every service of the company. */
export const services: Query<readonly Service[]> = { key: portalKeys.services, read: listServices };

async function listServices(): Promise<readonly Service[]> {
  const services: Service[] = [];
  for (;;) {
    const path = `${SERVICES}?limit=${PAGE}&offset=${services.length}`;
    const page = await portalCall<{ total: number; items: Service[] }>('GET', path);
    services.push(...page.items);
    if (page.items.length === 0 || services.length >= page.total) return services;
  }
}

export const readService = (id: string) => portalCall<Service>('GET', at(id));
export const serviceQuery = (id: string): Query<Service> => ({
  key: portalKeys.service(id),
  read: () => readService(id),
});

/** A key pair that was made here. The platform gets its public half, and the private one encrypted. */
export type ServiceKey = Awaited<ReturnType<typeof makeServiceKey>>;
export const makeServiceKey = () => onDevice('newServiceKey', {});

/** @param input.recoveryKey the public key that the passphrase is sealed to, once the company has confirmed it */
export async function createService(input: {
  name: string;
  adminEmail: string;
  key: ServiceKey;
  recoveryKey: string | undefined;
}): Promise<Service> {
  const { name, adminEmail, key, recoveryKey } = input;
  const copy = recoveryKey && (await onDevice('seal', { text: key.passphrase, publicKey: recoveryKey }));
  const body: CreateServiceRequest = {
    name,
    admin_email: adminEmail,
    public_key: key.publicKey,
    encrypted_private_key: key.encryptedPrivateKey,
    private_key_pem: key.privateKeyPem,
    ...(copy && { passphrase_recovery_copy: copy }),
  };
  return portalCall('POST', SERVICES, body);
}

/** One setting of a service. */
export type ServiceSetting =
  | { readonly name: string }
  | { readonly admin_email: string }
  | { readonly share_code: string }
  | { readonly audience: Audience }
  | { readonly require_2fa: boolean }
  | { readonly number_matching: boolean };

const SETTINGS = {
  name: '',
  admin_email: '/admin-email',
  share_code: '/share-code',
  audience: '/audience',
  require_2fa: '/require-2fa',
  number_matching: '/number-matching',
} as const;

export function changeService(id: string, setting: ServiceSetting): Promise<Service> {
  const [name = 'name'] = Object.keys(setting) as (keyof typeof SETTINGS)[];
  return portalCall('PUT', at(id, SETTINGS[name]), setting);
}

/** @param confirm also while customers are connected, whose connections end */
export const deleteService = (id: string, confirm: boolean): Promise<void> =>
  portalCall('DELETE', at(id, confirm ? '?confirm=true' : ''));

/** What a service asks its customers for, as it is published. */
export const requestFieldsQuery = (id: string): Query<RequestFieldConfig> => ({
  key: portalKeys.requestFields(id),
  read: () => portalCall('GET', at(id, '/request-fields')),
  isFresh: true,
});

/** @throws ConflictError `services.config_conflict` when it was published meanwhile */
export const publishRequestFields = (
  id: string,
  rows: readonly RequestFieldInput[],
  configToken: string,
): Promise<RequestFieldConfig> =>
  portalCall('PUT', at(id, '/request-fields'), { config_token: configToken, request_fields: rows });

/** The client by which a backend reads the service; null before there is one. */
export const dataClientQuery = (id: string): Query<DataClient | null> => ({
  key: portalKeys.dataClient(id),
  read: async () => {
    try {
      return await portalCall<DataClient>('GET', at(id, '/client'));
    } catch (error) {
      if (error instanceof NotFoundError && error.errorKey === 'services.client_not_found') return null;
      throw error;
    }
  },
});
/** How far the change feed is behind. @param everyMs how often it is read again; once without it */
export const feedQuery = (id: string, everyMs?: number): Query<ChangeFeedState> => ({
  key: portalKeys.feed(id),
  ...(everyMs !== undefined && { everyMs }),
  read: () => portalCall('GET', at(id, '/changes')),
});
export const registerDataClient = (id: string): Promise<DataClientWithSecret> =>
  portalCall('POST', at(id, '/client'));
export const rollDataClient = (id: string): Promise<DataClientWithSecret> =>
  portalCall('POST', at(id, '/client/regenerate-secret'));
