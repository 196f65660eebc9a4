import { relative } from 'node:path';
import { fingerprint } from '@symbolon/crypto';
import type { RequestField } from '@symbolon/protocol';
import { DataClient } from '@symbolon/sdk';
import { PortalClient } from '@symbolon/sdk/portal';
import { operate } from '../../admin/operator.ts';
import { company, requestRows } from '../cast.ts';
import { randomPassword } from '../leave-behind.ts';
import type { Narrator } from '../narrator.ts';
import { codeFromOutbox } from '../outbox.ts';
import { expect } from '../same-value.ts';
import type { Stage } from '../stage.ts';

/** A company with a service that asks for something, and all that is shown to it only once. */
export type CompanySide = {
  account: PortalClient;
  portal: { email: string; password: string; recoveryKeyFingerprint: string };
  client: { id: string; secret: string };
  service: { id: string; companyCode: string; serviceCode: string };
  key: { pem: string; passphrase: string };
  row(slug: string): RequestField;
};

/** The client of its backend. */
export function backendOf(url: string, { client, key }: Pick<CompanySide, 'client' | 'key'>): DataClient {
  // A few dozen values: more threads would take longer to start than to work.
  return new DataClient({
    url,
    clientId: client.id,
    clientSecret: client.secret,
    privateKey: key,
    threads: 1,
  });
}

export async function openCompany(
  { url, folder, operator }: Pick<Stage, 'url' | 'folder' | 'operator'>,
  tell: Narrator,
): Promise<CompanySide> {
  tell.chapter(`${company.name} registers and creates the service “${company.service}”`);
  const { name, email } = company;
  const password = randomPassword();
  const code = async () => {
    const mail = await codeFromOutbox(folder, email);
    tell.fact('Mailed code', `${mail.code}, in ${relative(folder, mail.file)}`);
    return mail.code;
  };
  const { client: portal } = await PortalClient.register({ baseUrl: url, name, email, password, code });
  const { company_user_id: id, company_code: companyCode } = await portal.account();
  // The level from which services may ask people to approve logins.
  await operate(operator, 'PUT', `/companies/${encodeURIComponent(id)}/level`, { level: 'pro' });
  const created = await portal.createService({ name: company.service, adminEmail: company.adminEmail });
  const service = await portal.setShareCode(created.service.id, company.serviceCode);
  const sha256 = await fingerprint(service.public_key);
  expect(
    sha256 === service.public_key_sha256,
    'The platform shows another fingerprint than that of the key.',
  );
  tell.say(
    "The company's computer makes the RSA-2048 key. The platform gets the public half, and the private half only encrypted under a passphrase that stays with the company.",
  );
  tell.fact('Codes', `${companyCode}/${service.share_code}`);
  tell.fact('Fingerprint', sha256);
  const minted = await portal.registerDataClient(service.id);
  tell.fact('Data client', `${minted.client_id}, its secret shown once`);

  tell.chapter(`It asks for ${requestRows.length} things`);
  const { request_fields: rows } = await portal.publishRequestFields(service.id, requestRows);
  tell.say(`${rows.map(({ slug, type }) => (slug === type ? slug : `${slug} (${type})`)).join(', ')}.`);
  tell.say('full_name is mandatory, card is taken once only, email must be verified.');
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  return {
    account: portal,
    portal: { email, password, recoveryKeyFingerprint: (await portal.recoveryKeyFingerprint()) ?? '' },
    client: { id: minted.client_id, secret: minted.client_secret },
    service: { id: service.id, companyCode, serviceCode: service.share_code },
    key: { pem: created.pem, passphrase: created.passphrase },
    row(slug) {
      const row = bySlug.get(slug);
      if (row === undefined) throw new Error(`There is no row ${slug}.`);
      return row;
    },
  };
}
