import type { RequestFieldInput } from '@symbolon/protocol';
import type { Callable } from '../platform/calls.ts';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
  type TestAnswer,
  type TestCompany,
  type TestPerson,
  type TestPlace,
  type TestService,
} from './actors.ts';

type Platform = Pick<Callable, 'must'>;

/** A company with a service, and a token of its data client. */
export async function openShop(
  platform: Platform,
  rows: readonly RequestFieldInput[] = [],
): Promise<{ company: TestCompany; service: TestService; token: string }> {
  const company = await registerCompany(platform);
  const service = await createService(platform, company, rows);
  return { company, service, token: await dataToken(platform, service) };
}

/** A new person who is connected to a service. */
export async function connectedPerson(
  platform: Platform,
  service: TestPlace,
  answers: Readonly<Record<string, TestAnswer>> = {},
): Promise<{ person: TestPerson; connectionId: string }> {
  const person = await registerPerson(platform);
  return { person, connectionId: await connect(platform, person, service, answers) };
}

/** A shop, and a person who is connected to its service. */
export async function openShopWithCustomer(platform: Platform, rows: readonly RequestFieldInput[] = []) {
  const shop = await openShop(platform, rows);
  return { ...shop, ...(await connectedPerson(platform, shop.service)) };
}
