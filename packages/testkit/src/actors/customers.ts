import type { Callable } from '../platform/calls.ts';
import type { TestPlatform } from '../platform/platform.ts';
import {
  createAccountClient,
  decisionsFor,
  registerCompany,
  type TestAnswer,
  type TestCompany,
  type TestService,
} from './actors.ts';

/** A company that acts as a customer through an account client of its own. */
export interface TestCustomer {
  readonly company: TestCompany;
  /** Of an account client with `customer_connections`. */
  readonly token: string;
}

export async function createCustomer(platform: Callable, name = 'Buyer'): Promise<TestCustomer> {
  const company = await registerCompany(platform, name);
  const { token } = await createAccountClient(platform, company, ['customer_connections']);
  return { company, token };
}

/** Connects a customer to a service; gives the ids of the connection and of the link. */
export async function connectCompany(
  platform: Callable,
  customer: TestCustomer,
  service: TestService,
  answers: Readonly<Record<string, TestAnswer>> = {},
): Promise<{ id: string; linkId: string }> {
  const connection = await platform.must('POST', '/api/company-connections', {
    token: customer.token,
    body: {
      company_code: service.company.code,
      service_code: service.code,
      decisions: await decisionsFor(service.rows, answers),
    },
  });
  const link = connection.services.find((one: { service_id: string }) => one.service_id === service.id);
  return { id: connection.id, linkId: link.service_link_id };
}

/** Publishes what a service shows about itself, and has its customers notified. */
export async function publishShare(
  platform: TestPlatform,
  service: TestService,
  value: string,
  /** `later` leaves it to the test to have customers notified. */
  told: 'at once' | 'later' = 'at once',
): Promise<void> {
  const path = `/api/services/${service.id}/share-fields`;
  const { token } = service.company;
  const { config_token } = await platform.must('GET', path, { token });
  const share_fields = [{ slug: 'hours', label: 'Hours', type: 'text', value }];
  await platform.must('PUT', path, { token, body: { config_token, share_fields } });
  if (told === 'at once') await platform.context.jobWorker.run();
}
