import type { RequestFieldInput } from '@symbolon/protocol';
import { DataClient } from '@symbolon/sdk';
import type { TestPlatform } from '../platform/platform.ts';
import {
  createDataClient,
  createService,
  passwordLogin,
  registerCompany,
  serviceKeyFile,
  type TestService,
} from './actors.ts';

/** A service with its data client. */
export interface TalkingService extends TestService {
  readonly client: DataClient;
}

/** Registers a company whose login types `PASSWORD`, with one service and the data client of it. */
export async function talkingService(
  platform: TestPlatform,
  { name, service, rows = [] }: { name: string; service: string; rows?: readonly RequestFieldInput[] },
): Promise<TalkingService> {
  const email = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}@example.com`;
  const { credentials } = await passwordLogin();
  const company = await registerCompany(platform, name, email, credentials);
  const made = await createService(platform, company, rows, service);
  const access = { url: platform.url, ...(await createDataClient(platform, made)) };
  const client = new DataClient({ ...access, privateKey: await serviceKeyFile(), threads: 1 });
  return { ...made, client };
}
