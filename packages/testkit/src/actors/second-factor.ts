import { randomUUID } from 'node:crypto';
import type { Answer, Callable } from '../platform/calls.ts';
import type { TestPlatform } from '../platform/platform.ts';
import {
  createService,
  dataToken,
  registerCompany,
  registerPerson,
  type TestPerson,
  type TestService,
} from './actors.ts';

/** A service with a data client. */
export interface AskingService extends TestService {
  readonly dataToken: string;
}

/** A service of a company whose level lets people enrol. */
export async function createAskingService(platform: TestPlatform): Promise<AskingService> {
  const company = await registerCompany(platform);
  await setLevel(platform, company.id, 'pro');
  const service = await createService(platform, company);
  return { ...service, dataToken: await dataToken(platform, service) };
}

export async function setLevel(
  platform: TestPlatform,
  companyId: string,
  level: 'free' | 'basic' | 'pro',
): Promise<void> {
  await platform.context.database.write((writer) =>
    writer.updateTable('companies').set({ level }).where('id', '=', companyId).execute(),
  );
}

/** Enrols a person, as the consent page does. */
export async function enrol(
  platform: TestPlatform,
  person: Pick<TestPerson, 'id'>,
  service: TestService,
): Promise<void> {
  const { database, enrolments } = platform.context;
  await database.write((writer) =>
    enrolments.enrol(writer, {
      personId: person.id,
      companyId: service.company.id,
      serviceId: service.id,
      appId: null,
    }),
  );
}

/** A person who is enrolled with a service. */
export async function enrolledPerson(platform: TestPlatform, service: TestService): Promise<TestPerson> {
  const person = await registerPerson(platform);
  await enrol(platform, person, service);
  return person;
}

export async function setNumberMatching(
  platform: Callable,
  service: TestService,
  on: boolean,
): Promise<void> {
  await platform.must('PUT', `/api/services/${service.id}/number-matching`, {
    token: service.company.token,
    body: { number_matching: on },
  });
}

/** Asks a person. */
export function ask(
  platform: Callable,
  service: AskingService,
  person: Pick<TestPerson, 'shareCode'>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  return platform.call('POST', '/api/service-2fa/challenges', {
    token: service.dataToken,
    body: { share_code: person.shareCode, idempotency_key: randomUUID(), ...more },
  });
}

/** Asks a person; gives the challenge. */
export async function asked(
  platform: Callable,
  service: AskingService,
  person: Pick<TestPerson, 'shareCode'>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ challenge_id: string; expires_at: string; matching_digits?: string }> {
  const answer = await ask(platform, service, person, more);
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body;
}

export function poll(platform: Callable, service: AskingService, id: string): Promise<Answer> {
  return platform.call('GET', `/api/service-2fa/challenges/${id}`, { token: service.dataToken });
}

/** What a person is asked now. */
export async function cardsOf(
  platform: Callable,
  person: TestPerson,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
): Promise<any[]> {
  const path = '/api/person/two-factor/challenges';
  return (await platform.must('GET', path, { token: person.token })).challenges;
}

export function deny(
  platform: Callable,
  person: TestPerson,
  id: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const path = `/api/person/two-factor/challenges/${id}/deny`;
  return platform.call('POST', path, { token: person.token, body });
}

/** Approves, proving presence by the login secret unless the body says otherwise. */
export function approve(
  platform: Callable,
  person: TestPerson,
  id: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const path = `/api/person/two-factor/challenges/${id}/approve`;
  const proof = { kind: 'password', login_secret: person.loginSecret };
  return platform.call('POST', path, { token: person.token, body: { proof, ...body } });
}

/** A person's enrolments. */
export async function enrollmentsOf(
  platform: Callable,
  person: TestPerson,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
): Promise<any[]> {
  const path = '/api/person/two-factor/enrollments';
  return (await platform.must('GET', path, { token: person.token })).enrollments;
}

/** Two other digits. */
export function otherDigits(digits: string | undefined, by = 1): string {
  return String((Number(digits) + by) % 100).padStart(2, '0');
}
