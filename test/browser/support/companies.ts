import type { RequestFieldInput } from '@symbolon/protocol';
import { DataClient } from '@symbolon/sdk';
import { PortalClient } from '@symbolon/sdk/portal';
import type { BrowserWorld } from './browser.ts';
import { PASSWORD } from './people.ts';

/** A company with one service and its data client, by the SDK. */
export interface TalkingService {
  readonly portal: PortalClient;
  readonly client: DataClient;
  readonly companyId: string;
  readonly serviceId: string;
  readonly companyCode: string;
  readonly serviceCode: string;
  /** The private key of the service, as its file has it. */
  readonly privateKey: { readonly pem: string; readonly passphrase: string };
}

export async function talkingService(
  { url }: BrowserWorld,
  { name, service, rows = [] }: { name: string; service: string; rows?: readonly RequestFieldInput[] },
): Promise<TalkingService> {
  const email = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}@example.com`;
  const { client: portal } = await PortalClient.register({ baseUrl: url, name, email, password: PASSWORD });
  const made = await portal.createService({ name: service, adminEmail: email });
  const { id: serviceId, share_code: serviceCode } = made.service;
  await portal.publishRequestFields(serviceId, [...rows]);
  const { client_id: clientId, client_secret: clientSecret } = await portal.registerDataClient(serviceId);
  const privateKey = { pem: made.pem, passphrase: made.passphrase };
  const client = new DataClient({ url, clientId, clientSecret, privateKey, threads: 1 });
  const { company_user_id: companyId, company_code: companyCode } = await portal.account();
  return { portal, client, companyId, serviceId, companyCode, serviceCode, privateKey };
}
