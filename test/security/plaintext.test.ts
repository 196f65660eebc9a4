import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  connect,
  createField,
  createService,
  createWebhook,
  dataToken,
  registerCompany,
  registerPerson,
  sealed,
} from '@symbolon/testkit/actors/actors';
import { createApp, signIn } from '@symbolon/testkit/actors/consent';
import { issueContract, signBy } from '@symbolon/testkit/actors/contracts';
import { publishFlow } from '@symbolon/testkit/actors/flow-runs';
import { addPasskey } from '@symbolon/testkit/actors/passkeys';
import { ask, enrol, setLevel } from '@symbolon/testkit/actors/second-factor';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { storedRows } from '@symbolon/testkit/platform/stored-places';

/*
 * SECURITY.md has a table of everything that the platform can read. A company and a person live with a marker in each such thing,
 * and one in each thing that is sealed. Where a marker is found and the table does not say so, the table lies; where it is not found
 * although the table says so, it says too much.
 */

const PLACES = ['database', 'mails'] as const;
type Place = (typeof PLACES)[number];

/** What the table says, by the first words of its rows: where it stands in plain text. */
function toldOfPlaintext(): Map<string, Set<Place>> {
  const text = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8');
  const [, after = ''] = text.split('## What the platform reads\n');
  const [section = ''] = after.split('\n## ');
  const rows = section.split('\n').filter((line) => /^\| (?!-|what )/.test(line));
  return new Map(
    rows.map((row) => {
      const [what = '', database, mails] = row
        .slice(1)
        .split('|')
        .map((cell) => cell.trim());
      const places = [database !== 'no' && 'database', mails !== 'no' && 'mails'].filter(Boolean);
      return [what, new Set(places as Place[])];
    }),
  );
}

onPlatform(
  'what the platform reads',
  (platform) => {
    test('is what SECURITY.md says, and nothing else', async () => {
      const told = toldOfPlaintext();
      assert.ok(told.size >= 15, `${told.size} rows`);
      const markers = new Map<string, string>();
      /** A marker for a row of the table; for what is sealed, a name that no row has. */
      const mark = (what: string) => {
        const marker = `Marker${markers.size}x${Math.random().toString(36).slice(2, 10)}`;
        markers.set(marker, what);
        return marker;
      };
      await live(platform(), mark);
      const held: Record<Place, string> = {
        database: (await everyRow(platform())) + (await everyFile(platform())),
        mails: await everyMail(platform()),
      };
      const wrong: string[] = [];
      for (const [marker, what] of markers) {
        for (const place of PLACES) {
          // Addresses are kept in lower case.
          const isThere = held[place].toLowerCase().includes(marker.toLowerCase());
          const isTold = told.get(what)?.has(place) ?? false;
          if (isThere !== isTold) wrong.push(`${what} is ${isThere ? '' : 'not '}in the ${place}`);
        }
      }
      assert.deepEqual([...new Set(wrong)], []);
      const untold = [...told.keys()].filter((what) => ![...markers.values()].includes(what));
      assert.deepEqual(untold, [], 'rows of the table that nothing proves');
    });
  },
  { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' },
);

async function live(platform: TestPlatform, mark: (what: string) => string): Promise<void> {
  const company = await registerCompany(platform, mark('names of accounts and logins'));
  await setLevel(platform, company.id, 'pro');
  const service = await createService(
    platform,
    company,
    [{ slug: 'nick', label: mark('services: names, request rows, texts'), type: 'text' }],
    mark('services: names, request rows, texts'),
  );
  const token = await dataToken(platform, service);
  const asking = { ...service, dataToken: token };
  await createWebhook(platform, service, {
    url: `http://127.0.0.1:9/${mark('addresses of webhooks and of plugins')}`,
  });
  await platform.must('POST', '/api/account/oauth-apps', {
    token: company.token,
    body: {
      name: mark('sign-in apps: names, redirect addresses'),
      redirect_uris: [`https://example.com/${mark('sign-in apps: names, redirect addresses')}`],
    },
  });
  await platform.must('POST', '/api/contact-fields', {
    token: company.token,
    body: { type: 'text', slug: 'motto', label: mark('profiles of companies') },
  });
  await platform.must('POST', `/api/services/${service.id}/flows`, {
    token: company.token,
    body: { name: mark('flows: definitions, texts, templates') },
  });

  const person = await registerPerson(
    platform,
    mark('names of accounts and logins'),
    `${mark('e-mail addresses')}@example.org`,
  );
  const value = mark('values');
  const field = await createField(platform, person, {
    type: 'text',
    slug: 'nick',
    label: mark('labels of fields'),
    value,
  });
  const connectionId = await connect(platform, person, service, { nick: { field, value } });

  const flow = await publishFlow(platform, service);
  await platform.must('POST', `/api/company-data/flows/${flow}/runs`, {
    token,
    body: {
      target: { connection_id: connectionId },
      bindings: { client: person.id, owner: company.id },
      reference: mark('references of runs'),
    },
  });

  await enrol(platform, person, service);
  const challenge = await ask(platform, asking, person, { context: mark('texts of approvals (2FA)') });
  assert.equal(challenge.status, 201, challenge.text);
  await platform.must('POST', '/api/company-data/broadcast', { token, body: { body: mark('broadcasts') } });
  const message = { body: await sealed(mark('messages')), sender_body: await sealed(mark('messages')) };
  const thread = `/api/person/connections/${connectionId}/messages`;
  await platform.must('POST', thread, { token: person.token, body: message });

  const { authenticator } = await addPasskey(platform, person);
  const about = 'documents: names, descriptions, metadata';
  const contract = await issueContract(platform, {
    token,
    target: { connection_id: connectionId },
    pdf: plainPdf({
      pages: 1,
      catalog: `/Lang(${mark('PDFs of contracts, in the act that completes them')})`,
    }),
    more: { name: mark(about), description: mark(about) },
  });
  const signed = await signBy(platform, person, contract, authenticator, {
    first_name: mark('names of signers'),
    last_name: mark('names of signers'),
  });
  assert.equal(signed.status, 200, signed.text);
  const lease = await platform.must('POST', '/api/company-data/documents', {
    token,
    body: {
      kind: 'agreement',
      name: 'Lease',
      payload_kind: 'json',
      requires_signature: true,
      target: { connection_id: connectionId },
      value: await sealed(mark('contents of documents for one customer')),
      metadata: { can_be_cancelled_in_app: true },
    },
  });
  await platform.must('POST', '/api/company-data/documents', {
    token,
    body: {
      kind: 'document',
      name: 'House rules',
      payload_kind: 'json',
      value: { rules: mark('documents for all customers of a service') },
    },
  });
  const app = await createApp(platform, company, { claims_delivery: 'plaintext', public_key: undefined });
  const openid = { mode: '', response_type: 'code', scope: 'openid profile', state: 's' };
  const claim = mark('claims with `claims_delivery: plaintext`');
  await signIn(platform, app, person, openid, { claims: [{ name: 'name', plaintext: claim }] });
  await platform.must('POST', `/api/person/documents/${lease.id}/cancel`, {
    token: person.token,
    body: { note: mark('notes of cancellations') },
  });
}

/** Every row of every table, as text. */
async function everyRow(platform: TestPlatform): Promise<string> {
  return [...(await storedRows(platform)).values()].join('\n');
}

/** Every file of the store beside the database. */
async function everyFile({ dataDir }: TestPlatform): Promise<string> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && !/outbox|symbolon\.db/.test(join(entry.parentPath, entry.name)),
  );
  const contents = await Promise.all(
    files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  );
  return contents.join('\n');
}

async function everyMail({ dataDir }: TestPlatform): Promise<string> {
  const folder = join(dataDir, 'outbox');
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  // Long lines are folded.
  return mails.join('\n').replace(/=\r?\n/g, '');
}
