import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import type { TestRegions } from '@symbolon/testkit/platform/regions';
import { type Insertable, sql } from 'kysely';
import { fileText } from '../../../../core/stored-file.ts';
import type { Tables } from '../../../../db/tables.ts';
import { backlogs, feeds } from '../../../delivery/change-feed/event-queues.ts';
import { MemoryClaims } from '../../../delivery/change-feed/memory-claims.ts';
import { MemoryLeases } from '../../../delivery/webhooks/leases.ts';
import { createCompanyMoves } from '../create.ts';
import type { Destination } from '../destination.ts';
import type { Row } from '../digest.ts';
import type { Steps } from '../move-source.ts';
import { pagesOf, shapesOf } from '../table-store.ts';

/** All rows a region has of a company, without the columns that are not compared: sorted, those of queues in their order. */
export async function rowsOf(platform: TestPlatform, companyId: string): Promise<Record<string, string[]>> {
  const { database, tables } = platform.context;
  const all: Record<string, string[]> = {};
  for (const shape of await shapesOf(database, tables)) {
    const compared = (row: Row) =>
      JSON.stringify(row.filter((_, place) => !shape.apartPlaces.includes(place)));
    const rows: string[] = [];
    for await (const page of pagesOf(database.reader, shape, { companyId })) rows.push(...page.map(compared));
    all[shape.name] = shape.feed === undefined ? rows.sort() : rows;
  }
  return all;
}

/** How many rows of a company a region has in each table; empty tables are left out. */
export async function countsOf(platform: TestPlatform, companyId: string): Promise<Record<string, number>> {
  const { database, tables } = platform.context;
  const counts: Record<string, number> = {};
  for (const shape of await shapesOf(database, tables)) {
    const { count } = await database.reader
      .selectFrom(shape.name)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(shape.owner as never, '=', companyId as never)
      .executeTakeFirstOrThrow();
    if (Number(count) > 0) counts[shape.name] = Number(count);
  }
  return counts;
}

/** The triggers that freeze the company of a move. */
export async function triggersOf(platform: TestPlatform, moveId: string): Promise<string[]> {
  const { database } = platform.context;
  const suffix = moveId.replaceAll('-', '').slice(12);
  const { rows } = await (database.engine === 'sqlite'
    ? sql<{ name: string }>`select name from sqlite_master where type = 'trigger' and name like 'hold_%'`
    : sql<{ name: string }>`select tgname as name from pg_trigger where tgname like 'hold_%'`
  ).execute(database.schema);
  return rows.map((row) => row.name).filter((name) => name.endsWith(suffix));
}

/** Inserts a row into each table of companies that a test does not fill otherwise. */
export async function fill(
  platform: TestPlatform,
  { companyId, serviceId, connectionId }: { companyId: string; serviceId: string; connectionId: string },
): Promise<void> {
  const at = platform.clock.now();
  const later = at + 10 ** 9;
  const own = { company_id: companyId, login_id: companyId };
  const service = { company_id: companyId, service_id: serviceId };
  const unique = () => randomUUID();
  await platform.context.database.write(async (writer) => {
    const { id: photo } = await writer
      .selectFrom('photos')
      .select('id')
      .where('company_id', '=', companyId)
      .executeTakeFirstOrThrow();
    const { customer_id: person_id } = await writer
      .selectFrom('connections')
      .select('customer_id')
      .where('id', '=', connectionId)
      .executeTakeFirstOrThrow();
    const add = <T extends keyof Tables>(table: T, row: Insertable<Tables[T]>) =>
      writer
        .insertInto(table)
        .values(row as never)
        .execute();
    await add('login_passkeys', {
      ...own,
      id: unique(),
      credential_id: unique(),
      public_key: 'cose',
      counter: 7,
      transports: '[]',
      name: 'Laptop',
      backup_eligible: 0,
      backed_up: 0,
      encrypted_private_key: null,
      created_at: at,
      last_used_at: null,
    });
    await add('sign_in_tickets', {
      ...own,
      token_hash: unique(),
      transport: 'token',
      attempts: 1,
      expires_at: later,
    });
    await add('two_factor_recovery_codes', { ...own, code_hash: unique() });
    await add('trusted_devices', {
      ...own,
      id: unique(),
      token_hash: unique(),
      user_agent: 'ü 😀 "quoted" \\ back',
      created_at: at,
      last_used_at: at,
      expires_at: later,
    });
    await add('login_codes', {
      ...own,
      purpose: 'email',
      code_hash: unique(),
      subject: 'x@example.com',
      attempts: 0,
      expires_at: later,
    });
    await add('act_proofs', {
      ...own,
      session_id: unique(),
      token_hash: unique(),
      act: 'GET /api/services/x/private-key',
      expires_at: later,
    });
    await add('plugins', {
      company_id: companyId,
      id: unique(),
      builtin_key: null,
      base_url: 'https://plugin.example.com',
      name: 'Streets',
      token: null,
      private_key: null,
      public_key: 'spki',
      field_types: '[]',
      described_at: at,
      last_error: null,
      created_at: at,
      updated_at: at,
    });
    await add('login_pins', { ...own, counter: 1, iv: unique(), data: unique() });
    await add('delegate_invitations', {
      company_id: companyId,
      id: unique(),
      email: 'invited@example.com',
      role: 'viewer',
      token_hash: unique(),
      created_at: at,
      expires_at: later,
    });
    await add('service_former_keys', {
      ...service,
      public_key_sha256: unique(),
      public_key: 'k',
      encrypted_private_key: '{}',
      private_key_pem: null,
      replaced_at: at,
    });
    await add('share_fields', {
      ...service,
      slug: 'site',
      label: 'Site',
      type: 'url',
      value: 'https://example.com/?a=[1,{"b":null}]',
      position: 0,
    });
    await add('share_photos', { ...service, photo_id: photo, position: 0 });
    await add('oauth_apps', {
      company_id: companyId,
      client_id: unique(),
      name: 'App',
      app_type: 'public',
      redirect_uris: '[]',
      service_id: serviceId,
      require_2fa: 1,
      claims_delivery: 'plaintext',
      detached: 1,
      claim_config: '[{"name":"email","verified":true}]',
      id_token_alg: 'EdDSA',
      public_key: null,
      public_key_sha256: null,
      encrypted_private_key: null,
      private_key_pem: null,
      secret_hash: null,
      secret_created_at: null,
      created_at: at,
      updated_at: at,
    });
    const signIn = { company_id: companyId, id: unique() };
    await add('sign_ins', {
      ...signIn,
      client_id: unique(),
      person_id: unique(),
      person_epoch: 1,
      code_hash: unique(),
      code_expires_at: later,
      used_at: null,
      revoked_at: null,
      expires_at: later,
      share_code: 'ABC234',
      mode: 'oidc',
      redirect_uri: 'https://shop.example/back',
      code_challenge: null,
      nonce: 'ü',
      scope: 'openid',
      two_factor: 1,
      auth_time: at,
      created_at: at,
      claims: '{"email":"{}"}',
      attestations: '{}',
    });
    await add('sign_in_plaintexts', { ...signIn, sealed: 'AA==', expires_at: later });
    await add('consent_requests', {
      company_id: companyId,
      id: unique(),
      client_id: unique(),
      issuer: 'https://example.com',
      parameters: '{}',
      claims: '[]',
      public_key_sha256: null,
      state_hash: unique(),
      person_id: null,
      status: 'open',
      result: null,
      wrong_digits: 2,
      delivered: 0,
      claim_owner: null,
      claimed_until: null,
      created_at: at,
      expires_at: later,
    });
    await add('deleted_oauth_apps', { company_id: companyId, client_id: unique(), deleted_at: 1 });
    await add('claim_choices', {
      company_id: companyId,
      client_id: unique(),
      person_id: unique(),
      fields: '{"Ü":"1"}',
    });
    await add('sign_in_log', {
      company_id: companyId,
      id: unique(),
      person_id: unique(),
      client_id: unique(),
      mode: 'signin',
      outcome: 'approved',
      claims: '["a"]',
      two_factor: 1,
      detached: 0,
      at,
      expires_at: later,
    });
    await add('contact_fields', {
      company_id: companyId,
      id: unique(),
      type: 'text',
      slug: 'shoe',
      label: 'Shoe',
      usertype: 'any',
      created_at: at,
    });
    await add('contact_data', {
      company_id: companyId,
      id: unique(),
      field_id: 'text',
      type: 'text',
      slug: 'motto',
      label: 'Motto',
      value: 'line\nbreak\ttab',
      created_at: at,
      updated_at: at,
    });
    await add('consent_rows', {
      company_id: companyId,
      connection_id: connectionId,
      request_field_id: unique(),
      state: 'declined',
      decided_at: at,
    });
    await add('jobs', {
      ...service,
      id: unique(),
      kind: 'tell_companies',
      state: '{"after":"ü"}',
      position: 1,
      turn: 1,
      done: 1,
      total: null,
      failures: 0,
      problem: null,
      created_at: at,
      updated_at: at,
      stepped_at: at,
      finished_at: at,
    });
    await add('two_factor_enrolments', {
      ...service,
      id: unique(),
      person_id,
      app_id: null,
      muted: 0,
      denials: 2,
      denied_at: at,
      created_at: at,
    });
    await add('two_factor_challenges', {
      ...service,
      id: unique(),
      person_id,
      idempotency_key: unique(),
      context: 'line\nbreak 😀',
      digits: '07',
      wrong_digits: 1,
      status: 'approved',
      created_at: at,
      expires_at: later,
      completed_at: at,
      approved_by: 'passkey',
      spent_at: at,
      delivered: 0,
      claim_owner: 'a process',
      claimed_until: later,
    });
    await add('message_threads', {
      company_id: companyId,
      connection_id: connectionId,
      service_id: serviceId,
      last_id: unique(),
      message_count: 1,
      assigned_to: unique(),
      is_open: 1,
    });
    await add('client_uses', { client_id: unique(), company_id: companyId, last_used_at: at });
    await add('reply_templates', {
      ...service,
      ...{ id: unique(), name: 'Closed', body: 'line\nbreak 😀', updated_at: at },
    });
    await add('login_drafts', {
      ...{ company_id: companyId, login_id: unique(), name: `message.${connectionId}` },
      ...{ value: '{"_enc":1}', updated_at: at, expires_at: later },
    });
    await add('messages', {
      company_id: companyId,
      connection_id: connectionId,
      id: unique(),
      sender: 'customer',
      service_body: '{"_enc":1}',
      customer_body: '{"_enc":1,"d":"ü"}',
      created_at: at,
      read_at: null,
    });
    await add('messaging_suspensions', { company_id: companyId, messages: 0, broadcasts: 1 });
    const broadcast = unique();
    await add('broadcasts', {
      ...service,
      id: broadcast,
      body: 'line\nbreak 😀',
      created_at: at,
      expires_at: later,
    });
    await add('broadcast_reads', {
      company_id: companyId,
      connection_id: connectionId,
      broadcast_id: broadcast,
      read_at: at,
      expires_at: later,
    });
    await add('connect_requests', {
      ...service,
      id: unique(),
      person_id,
      state: 'rejected',
      created_at: at,
      expires_at: later,
    });
    await add('blocked_services', { ...service, person_id, created_at: at });
    const document = { ...service, id: unique() };
    await add('documents', {
      ...document,
      connection_id: connectionId,
      customer_id: person_id,
      customer_type: 'person',
      kind: 'agreement',
      name: 'Lease',
      description: 'line\nbreak',
      status: 'active_but_ending',
      payload_kind: 'file',
      payload: null,
      metadata: '{"ü":1}',
      is_private: 1,
      requires_signature: 1,
      requires_acceptance: 0,
      plain_sha256: 'aa',
      sealed_at: at,
      sealed_sha256: 'bb',
      seal_level: 'B-B',
      ends_on: '2031-01-01',
      created_at: at,
      updated_at: at,
      deleted_at: at,
      dropped_at: null,
      acted_terms: '{"name":"Lease","description":null,"metadata":{"ü":1}}',
    });
    const { hash } = await writer
      .selectFrom('photos')
      .select('hash')
      .where('id', '=', photo)
      .executeTakeFirstOrThrow();
    await add('document_files', {
      ...service,
      document_id: document.id,
      party: 'customer',
      value: fileText({ id: unique(), hash, bytes: 3, form: 'sealed' }),
      original_name: null,
      created_at: at,
    });
    const run = { ...service, run_id: unique() };
    await add('flow_runs', {
      ...service,
      id: run.run_id,
      flow_id: unique(),
      flow_version: 1,
      flow_name: 'Lease',
      connection_id: connectionId,
      customer_id: person_id,
      customer_type: 'person',
      status: 'awaiting_company',
      company_turn: 1,
      current_node: 'sign',
      output_mode: 'document',
      bindings: `[["client","${person_id}"]]`,
      reference_date: '2030-01-01',
      private_slugs: '["ü"]',
      owner_tag_values: '{}',
      reference: 'Order 7',
      last_act: null,
      acts: 3,
      bytes: 5,
      document_id: document.id,
      failure: null,
      created_at: at,
      updated_at: at,
      ended_at: null,
    });
    await add('flow_run_counts', {
      ...service,
      flow_id: unique(),
      status: 'awaiting_company',
      company_turn: 1,
      n: 1,
    });
    await add('flow_run_parties', {
      ...run,
      user_id: person_id,
      user_type: 'person',
      connection_id: connectionId,
      ended_at: null,
    });
    const copy = unique();
    await add('flow_run_copies', {
      ...run,
      user_id: person_id,
      kind: 'answer',
      key: 'paper',
      place: 1,
      id: copy,
      value: fileText({ id: copy, hash, bytes: 3, form: 'sealed' }),
    });
    await add('flow_run_steps', { ...run, place: 1, node: 'sign ü', answered_at: at });
    const ownCopy = unique();
    await add('run_documents', {
      ...run,
      document_id: ownCopy,
      flow_id: unique(),
      output_key: 'lease ü',
      place: 0,
      party_key: 'landlord',
      position: 2,
      is_owner: 1,
      name: 'Lease',
      requires_signature: 1,
      requires_acceptance: 0,
      plain_sha256: hash,
      status: 'waiting',
      acts: '[]',
      value: fileText({ id: ownCopy, hash, bytes: 3, form: 'sealed' }),
      created_at: at,
      updated_at: at,
    });
    const flow = { ...service, flow_id: unique() };
    await add('flows', {
      ...service,
      id: flow.flow_id,
      name: 'Lease',
      output_mode: 'document',
      revision: 7,
      version: 1,
      published_revision: 6,
      published_at: at,
      plugin_ids: '["p"]',
      created_at: at,
      updated_at: at,
      deleted_at: at,
      draft: '{"ü":1}',
    });
    await add('flow_versions', {
      ...flow,
      version: 1,
      name: 'Lease',
      output_mode: 'document',
      field_count: 1,
      plugin_ids: '[]',
      published_at: at,
      fields: '[{"slug":"ü"}]',
      definition: '{"ü":1}',
    });
    await add('flow_assets', {
      ...flow,
      version: 1,
      asset_key: 'lease ü',
      original_name: 'Lease.pdf',
      hash,
      bytes: 3,
      created_at: at,
      value: fileText({ id: unique(), hash, bytes: 3, form: 'raw', type: 'application/pdf' }),
      analysis: '{"ü":1}',
      plan: '{}',
    });
    await add('document_acts', {
      ...service,
      document_id: document.id,
      id: unique(),
      action: 'cancelled',
      method: null,
      content_sha256: null,
      plain_sha256: null,
      signer_first_name: null,
      signer_last_name: null,
      signer_name_verified: null,
      note: 'ü',
      effective_date: '2031-01-01',
      created_at: at,
    });
    await add('early_tellings', { company_id: companyId, job_id: unique(), connection_id: connectionId });
    for (const n of [1, 2, 3]) {
      await add('changes', {
        id: unique(),
        company_id: companyId,
        feed: companyId,
        service_id: unique(),
        connection_id: unique(),
        customer_id: companyId,
        customer_type: 'company',
        share_code: 'X',
        event: 'customer.connection_deleted',
        request_field_id: null,
        slug: null,
        payload: JSON.stringify({ n }),
        at,
        collapse_key: unique(),
      });
    }
  });
}

/** The moves as a process has them that has just started; `steps` may fail. */
export function restartedMoves(
  platform: TestPlatform,
  steps: Steps,
  destinationOf?: (region: string) => Destination,
) {
  const { context } = platform;
  const { companyMoves, peers, regionMessages } = context;
  assert.ok(companyMoves && peers && regionMessages);
  return createCompanyMoves({
    ...context,
    keys: context.secrets.keys,
    liveSlots: context.liveSlots,
    peers,
    messages: regionMessages,
    parts: [context.photos],
    // These are in the memory of a process.
    claims: new MemoryClaims({ ...context, queues: feeds }),
    backlogClaims: new MemoryClaims({ ...context, queues: backlogs }),
    leases: new MemoryLeases(),
    steps,
    ...(destinationOf === undefined ? {} : { destinationOf }),
  });
}

/** Runs the moves until `done` returns true; between runs two minutes pass. */
export async function finish(
  regions: TestRegions,
  source: { run(): Promise<void> },
  done: () => Promise<boolean>,
): Promise<void> {
  for (let turn = 0; turn < 12; turn++) {
    await source.run();
    await regions.settle();
    if (await done()) return;
    regions.clock.advance(125_000);
  }
  assert.fail('The move did not finish.');
}
