import { fingerprint } from '@symbolon/crypto';
import { DataClient } from '@symbolon/sdk';
import { PersonClient } from '@symbolon/sdk/person';
import { PortalClient } from '@symbolon/sdk/portal';
import {
  company,
  descendant,
  edit,
  later,
  type PersonScript,
  people,
  requestRows,
  verifiedField,
} from './cast.ts';
import { followChanges } from './follow-changes.ts';
import { type Credentials, leaveBehind, randomPassword } from './leave-behind.ts';
import type { Narrator } from './narrator.ts';
import { codeFromOutbox } from './outbox.ts';
import { expect, expectSame, searchable, textOf } from './same-value.ts';
import { sourceFreeAnswer } from './source-free.ts';
import type { Stage } from './stage.ts';
import { StoredValues } from './stored.ts';

/** One value on its way: as typed, as it rests on the platform, as the company's backend reads it. */
export type Journey = {
  person: string;
  slug: string;
  type: string;
  typed: string;
  stored: string;
  decrypted: string;
  live: boolean;
  verified: boolean;
};

export type Outcome = {
  url: string;
  connections: number;
  values: Journey[];
  edited: Journey & { event: string; change_id: string };
  descendant: { asked: string; answered_by: string; value: string; on_the_wire: string[] };
  searched: { bytes: number; texts: number; found: number };
  credentials: Credentials;
};

type Player = { script: PersonScript; client: PersonClient; connectionId: string };

/**
 * The whole story, told to the narrator as it happens. Every act goes through the API with the public SDK; only what is
 * shown as stored is read from the database itself.
 *
 * @throws Problem, or any failure of a step; also when a value that arrives is not the one that was typed
 */
export async function play(stage: Stage, tell: Narrator): Promise<Outcome> {
  const { url, folder } = stage;
  const stored = new StoredValues(folder);

  tell.chapter('A platform starts');
  tell.fact('API', url);
  tell.fact('Database', `embedded, in ${folder}`);

  tell.chapter(`${company.name} registers and creates the service “${company.service}”`);
  const password = randomPassword();
  const portal = await PortalClient.register({ baseUrl: url, ...company, password });
  const { company_code: companyCode } = await portal.account();
  const created = await portal.createService({ name: company.service, adminEmail: company.adminEmail });
  const service = await portal.setShareCode(created.service.id, company.serviceCode);
  expect(
    (await fingerprint(service.public_key)) === service.public_key_sha256,
    'The platform shows another fingerprint than that of the key.',
  );
  tell.say('Its own computer makes the RSA-2048 key. The platform gets the public half, and the private');
  tell.say('half only encrypted under a passphrase that stays with the company.');
  tell.fact('Codes', `${companyCode}/${service.share_code}`);
  tell.fact('Fingerprint', service.public_key_sha256);
  const minted = await portal.registerDataClient(service.id);
  tell.fact('Data client', `${minted.client_id}, its secret shown once`);

  tell.chapter(`It asks for ${requestRows.length} things`);
  const { request_fields: rows } = await portal.publishRequestFields(service.id, requestRows);
  tell.say(`${rows.map(({ slug, type }) => (slug === type ? slug : `${slug} (${type})`)).join(', ')}.`);
  tell.say('full_name is mandatory, card is taken once, email must be verified.');
  const rowOf = (slug: string) => rows.find((row) => row.slug === slug) ?? fail(`There is no row ${slug}.`);

  tell.chapter('Three people register');
  const scripts = Object.values(people);
  const clients = await Promise.all(scripts.map((script) => register(url, script)));
  for (const client of clients) {
    const { display_name: name, share_code: code } = client.person;
    tell.fact(name, `share code ${code}; password and key never left the device readable`);
  }
  const [mira, jonas] = clients;
  if (mira === undefined || jonas === undefined) throw fail('Somebody did not register.');
  await Promise.all(clients.map((client, index) => fillIn(client, scripts[index])));

  tell.chapter('Mira proves her e-mail address');
  const mail = await fieldOf(mira, verifiedField);
  await mira.startVerification(mail.id);
  const { code, file } = codeFromOutbox(folder, mail.text ?? '');
  tell.fact('Mail', file.replace(`${folder}/`, ''));
  tell.fact('Code', code);
  expect((await mira.confirmVerification(mail.id, code)).verified, 'The e-mail address was not verified.');
  tell.say(
    'The address is verified. That was the one moment in which the platform saw it; it keeps a salted hash.',
  );

  tell.chapter('They connect and share');
  const players: Player[] = [];
  for (const [index, script] of scripts.entries()) {
    const client = clients[index] ?? fail(`${script.name} did not register.`);
    const connection = await client.connect(companyCode, service.share_code, script.answers);
    players.push({ script, client, connectionId: connection.connection_id });
    const once = connection.mappings.filter(({ kind }) => kind === 'one_time').length;
    const count = connection.mappings.length;
    tell.fact(
      script.name,
      `${count} values, each sealed to the service's key: ${count - once} live, ${once} once`,
    );
  }

  tell.chapter('Typed → stored → decrypted');
  tell.say("The company's backend reads the connection list and opens it with its private key.");
  await using backend = new DataClient({
    url,
    clientId: minted.client_id,
    clientSecret: minted.client_secret,
    privateKey: { pem: created.pem, passphrase: created.passphrase },
    // A few dozen values: more threads would take longer to start than to work.
    threads: 1,
  });
  const values: Journey[] = [];
  for await (const connection of backend.connections()) {
    const player = players.find(({ connectionId }) => connectionId === connection.id);
    if (player === undefined) throw fail('The list has a connection nobody made.');
    const journeys = Object.entries(player.script.answers).map(([slug, answer]): Journey => {
      const value = connection.values[slug] ?? fail(`${player.script.name}'s ${slug} did not arrive.`);
      const typed = typedBy(player.script, slug);
      expect(!value.unreadable, `${slug} cannot be opened.`);
      expectSame(typed, value.value, `${player.script.name}'s ${slug}`);
      const row = rowOf(slug);
      const isLive = 'field' in answer && answer.oneTime !== true && !row.one_time;
      expect(value.live === isLive, `${slug} should be shared ${isLive ? 'live' : 'once'}.`);
      expect(
        value.verified === (slug === 'email'),
        `${slug} should ${slug === 'email' ? '' : 'not '}be verified.`,
      );
      const wrapper = stored.wrapper(connection.id, row.id);
      const texts = { typed: textOf(typed), stored: wrapper, decrypted: textOf(value.value) };
      return {
        person: player.script.name,
        slug,
        type: row.type,
        ...texts,
        live: value.live,
        verified: value.verified,
      };
    });
    tell.journeys(connection.displayName, journeys);
    values.push(...journeys);
  }
  const expected = scripts.reduce((sum, { answers }) => sum + Object.keys(answers).length, 0);
  expect(values.length === expected, `${expected} values were shared, ${values.length} arrived.`);
  const texts = searchable(scripts);
  const search = stored.search(texts);
  expect(search.found.length === 0, 'A value stands readable in the database.');
  tell.say(
    `All ${values.length} are what was typed. A search of the ${kilobytes(search.bytes)} of database for ${texts.length} of the typed texts finds none.`,
  );

  tell.chapter(`Mira changes her ${edit.row}`);
  const changes = followChanges(backend, `${folder}/demo-changes.db`);
  let edited: Outcome['edited'];
  try {
    const field = await fieldOf(mira, edit.field);
    tell.fact('She types', edit.value);
    await mira.editField(field.id, edit.value);
    const change = await changes.until(({ event, slug }) => event === 'field_updated' && slug === edit.row);
    const value = change.value ?? fail('The change came without a value.');
    expectSame(edit.value, value.value, `Mira's new ${edit.row}`);
    expect(!JSON.stringify(change.raw).includes(field.id), 'The change names the source field.');
    const wrapper = change.raw.value ?? '';
    expect(
      wrapper ===
        stored.wrapper(change.connectionId ?? playerOf(players, mira).connectionId, rowOf(edit.row).id),
      'The change carries another ciphertext than the one stored.',
    );
    edited = {
      person: 'Mira',
      slug: edit.row,
      type: rowOf(edit.row).type,
      typed: edit.value,
      stored: wrapper,
      decrypted: textOf(value.value),
      live: value.live,
      verified: value.verified,
      event: change.event,
      change_id: change.id,
    };
  } finally {
    await changes.stop();
  }
  tell.say('One act stores the new value for her and a copy sealed for everyone who follows it.');
  tell.changes(changes.seen());

  tell.chapter('A date of birth answers a row that asks for a date');
  const source = await fieldOf(mira, descendant.field);
  const answer = await sourceFreeAnswer({
    url,
    clientId: minted.client_id,
    clientSecret: minted.client_secret,
    connectionId: playerOf(players, mira).connectionId,
    slug: descendant.row,
    hidden: [source.id, descendant.field, descendant.fieldType],
  });
  const birthday = typedBy(people.mira, descendant.row);
  tell.fact('Asked for', `${descendant.row} (${rowOf(descendant.row).type})`);
  tell.fact('Mira used', `${descendant.field} (${descendant.fieldType})`);
  tell.fact(
    'The company sees',
    `${descendant.row}: ${textOf(birthday)}; on the wire ${answer.members.join(', ')}`,
  );
  tell.say('Neither the field nor its type is on the wire: only the slug the company chose.');

  await jonas.editField((await fieldOf(jonas, later.field)).id, later.value);
  const credentials = leaveBehind(stage, {
    portal: { email: company.email, password },
    client: { id: minted.client_id, secret: minted.client_secret },
    service: { companyCode, serviceCode: service.share_code },
    key: { pem: created.pem, passphrase: created.passphrase },
  });
  return {
    url,
    connections: players.length,
    values,
    edited,
    descendant: {
      asked: rowOf(descendant.row).type,
      answered_by: descendant.fieldType,
      value: textOf(birthday),
      on_the_wire: answer.members,
    },
    searched: { bytes: search.bytes, texts: texts.length, found: search.found.length },
    credentials,
  };
}

async function register(url: string, script: PersonScript): Promise<PersonClient> {
  const { client } = await PersonClient.register({
    baseUrl: url,
    email: script.login,
    displayName: script.name,
    password: randomPassword(),
  });
  return client;
}

async function fillIn(client: PersonClient, script: PersonScript | undefined): Promise<void> {
  for (const field of script?.fields ?? []) await client.createField(field);
}

async function fieldOf(client: PersonClient, slug: string) {
  const field = (await client.fields()).find((candidate) => candidate.slug === slug);
  return field ?? fail(`There is no field ${slug}.`);
}

function typedBy(script: PersonScript, slug: string): unknown {
  const answer = script.answers[slug];
  if (answer === undefined) throw fail(`${script.name} did not answer ${slug}.`);
  return 'value' in answer ? answer.value : script.fields.find((field) => field.slug === answer.field)?.value;
}

function playerOf(players: readonly Player[], client: PersonClient): Player {
  return players.find((player) => player.client === client) ?? fail('Somebody did not connect.');
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1024).toLocaleString('en')} kB`;
}

function fail(message: string): never {
  throw new Error(message);
}
