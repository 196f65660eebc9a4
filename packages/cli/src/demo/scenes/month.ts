import type { DataClient } from '@symbolon/sdk';
import { PersonClient } from '@symbolon/sdk/person';
import { PortalClient } from '@symbolon/sdk/portal';
import { followChanges } from '../follow-changes.ts';
import { randomPassword } from '../leave-behind.ts';
import { type GuestKey, guests, type Happening, happenings } from '../month.ts';
import { codeFromOutbox } from '../outbox.ts';
import type { Stage } from '../stage.ts';
import { backendOf, type CompanySide } from './company.ts';

type Where = Pick<Stage, 'url' | 'folder' | 'goBack'>;

/** Nothing listens there. */
const NO_RECEIVER = 'http://127.0.0.1:9/webhooks';

interface Guest {
  readonly password: string;
  readonly connectionId: string;
  readonly phoneId: string;
}

/** The month before the story: people come, change things, write and leave, and a webhook fails. */
export async function liveMonth(stage: Where, company: CompanySide, buffer: string): Promise<void> {
  await using backend = backendOf(stage.url, company);
  const known = new Map<GuestKey, Guest>();
  for (const happening of happenings) {
    stage.goBack(happening.day);
    if (happening.does === 'webhook') await addWebhook(stage, company);
    else if (happening.does === 'join') known.set(happening.who, await join(stage, company, happening.who));
    else await visit(stage, backend, happening, known.get(happening.who) as Guest);
  }
  // What a company has read of the feed is gone from it.
  const last = happenings.findLast((one) => one.does === 'edit');
  const changes = followChanges(backend, buffer);
  await changes
    .until(({ event, value }) => event === 'field_updated' && value?.value === last?.phone)
    .finally(() => changes.stop());
  stage.goBack(0);
  await signInAgain(stage, company);
}

async function join(stage: Where, company: CompanySide, who: GuestKey): Promise<Guest> {
  const { url, folder } = stage;
  const { name: displayName, login: email, fullName, phone, country } = guests[who];
  const password = randomPassword();
  const { client } = await PersonClient.register({
    ...{ baseUrl: url, email, displayName, password },
    code: async () => (await codeFromOutbox(folder, email)).code,
  });
  const fields = { full_name: ['text', 'Name', fullName], phone: ['phone', 'Phone', phone] } as const;
  const ids: Record<string, string> = {};
  for (const [slug, [type, label, value]] of Object.entries({
    ...fields,
    country: ['country', 'Country', country] as const,
  })) {
    ids[slug] = (await client.createField({ type, slug, label, value })).id;
  }
  const answers = Object.fromEntries(Object.keys(ids).map((slug) => [slug, { field: slug }]));
  const { companyCode, serviceCode } = company.service;
  const connection = await client.connect(companyCode, serviceCode, answers);
  return { password, connectionId: connection.connection_id, phoneId: ids.phone ?? '' };
}

/** A guest comes back, a session later. */
async function visit(
  { url }: Where,
  backend: DataClient,
  happening: Exclude<Happening, { does: 'webhook' | 'join' }>,
  { password, connectionId, phoneId }: Guest,
): Promise<void> {
  const client = await PersonClient.login({ baseUrl: url, email: guests[happening.who].login, password });
  if (happening.does === 'edit') await client.editField(phoneId, happening.phone);
  else if (happening.does === 'leave') await client.disconnect(connectionId);
  else if (happening.does === 'write') {
    await client.messages.send(connectionId, happening.text);
    if (happening.answer !== undefined) await backend.messages.send(connectionId, happening.answer);
  }
}

async function addWebhook(stage: Where, company: CompanySide): Promise<void> {
  await signInAgain(stage, company);
  await company.account.createWebhook(company.service.id, { url: NO_RECEIVER, auth_type: 'hmac' });
}

/** Sessions of the portal end after hours. */
async function signInAgain({ url }: Where, company: CompanySide): Promise<void> {
  const { email, password } = company.portal;
  company.account = await PortalClient.signIn({ baseUrl: url, email, password });
}
