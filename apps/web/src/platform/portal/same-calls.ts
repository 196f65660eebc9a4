import type { FlowRun, RequestFieldInput } from '@symbolon/protocol';
import type { FlowPlace } from './flows.ts';

/** A call of the platform that does what a page does. */
export interface SameCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** The same with a client of the SDK; undefined for what only staff does. */
  readonly sdk?: string;
}

/** What pages of the portal do, as programs do it. */
export const sameCalls = {
  services: { method: 'GET', path: '/api/services', sdk: 'const { items } = await client.services();' },
  service: (id: string): SameCall => ({
    method: 'GET',
    path: `/api/services/${id}`,
    sdk: `const service = await client.service('${id}');`,
  }),
  newService: {
    method: 'POST',
    path: '/api/services',
    body: {
      ...{ name: 'Bike shop', admin_email: 'staff@example.com', public_key: '…' },
      ...{ encrypted_private_key: '…', private_key_pem: '…' },
    },
    sdk: "const { service, pem, passphrase } = await client.createService({ name: 'Bike shop', adminEmail: 'staff@example.com' });",
  },
  renameService: (id: string, name: string): SameCall => ({
    method: 'PUT',
    path: `/api/services/${id}`,
    body: { name },
    sdk: `await client.renameService('${id}', ${JSON.stringify(name)});`,
  }),
  invite: {
    method: 'POST',
    path: '/api/delegates',
    body: { email: 'ben@example.com', role: 'support' },
    sdk: "await client.delegates.invite({ email: 'ben@example.com', role: 'support' });",
  },
  newClient: {
    method: 'POST',
    path: '/api/account/clients',
    body: { name: 'ERP', capabilities: ['service_management'] },
    sdk: "const { client_id, client_secret } = await client.createAccountClient({ name: 'ERP', capabilities: ['service_management'] });",
  },
  plugins: { method: 'GET', path: '/api/account/plugins' },
  flows: (id: string): SameCall => ({
    method: 'GET',
    path: `/api/services/${id}/flows`,
    sdk: `const flows = await client.flows.list('${id}');`,
  }),
  flowVersions: ({ serviceId, flowId }: FlowPlace): SameCall => ({
    method: 'GET',
    path: `/api/services/${serviceId}/flows/${flowId}/versions`,
    sdk: `const versions = await client.flows.versions({ serviceId: '${serviceId}', flowId: '${flowId}' });`,
  }),
  runs: ({ serviceId, flowId }: FlowPlace): SameCall => ({
    method: 'GET',
    path: `/api/services/${serviceId}/flows/${flowId}/runs?limit=50`,
    sdk: 'for await (const run of data.flows.runs()) console.log(run.reference, run.status);',
  }),
  signCopy: ({ serviceId, flowId }: FlowPlace, runId: string, documentId: string): SameCall => ({
    method: 'POST',
    path: `/api/services/${serviceId}/flows/${flowId}/runs/${runId}/documents/${documentId}/sign`,
    body: { content_sha256: '…', first_name: 'Ada', last_name: 'Berg', proof: '…', pdf: '…' },
    sdk: `await client.runDocuments.sign({ serviceId: '${serviceId}', flowId: '${flowId}', runId: '${runId}', documentId: '${documentId}' }, pdf, { signer, proof, open, textOf });`,
  }),
  sendDocument: (id: string): SameCall => ({
    method: 'POST',
    path: `/api/services/${id}/documents`,
    body: {
      ...{ kind: 'agreement', name: 'Lease', payload_kind: 'file', requires_signature: true },
      target: { connection_id: '…' },
    },
    sdk: "await data.documents.create({ name: 'Lease', kind: 'agreement', to: { connectionId }, requiresSignature: true, content: { file } });",
  }),
  apps: { method: 'GET', path: '/api/account/oauth-apps', sdk: 'await client.oauthApps();' },
  auditLog: { method: 'GET', path: '/api/account/audit-log', sdk: 'await client.security.auditLog();' },
  customers: (id: string): SameCall => ({
    method: 'GET',
    path: `/api/services/${id}/customers?limit=50`,
    sdk: 'for await (const connection of data.connections()) console.log(connection.display_name);',
  }),
  remind: (id: string): SameCall => ({
    method: 'POST',
    path: `/api/services/${id}/customers/…/messages`,
    body: { body: '…', sender_body: '…' },
    sdk: "await data.messages.send(connectionId, 'Please look at Lease: it still waits for you.');",
  }),
  issued: (id: string): SameCall => ({
    method: 'GET',
    path: `/api/services/${id}/documents?limit=50`,
    sdk: 'for await (const document of data.documents.list()) console.log(document.name, document.status);',
  }),
  issuedOne: (id: string, documentId: string): SameCall => ({
    method: 'GET',
    path: `/api/services/${id}/documents/${documentId}`,
    sdk: `const document = await data.documents.get('${documentId}');`,
  }),
  asking: (id: string): SameCall => ({
    method: 'POST',
    path: `/api/services/${id}/connect-requests`,
    body: { share_code: 'ABC234' },
    sdk: "const { id } = await data.connectRequests.send('ABC234');",
  }),
  everyone: (id: string): SameCall => ({
    method: 'POST',
    path: `/api/services/${id}/broadcasts`,
    body: { body: 'We are closed on Monday.' },
  }),
  inbox: (id: string): SameCall => ({
    method: 'GET',
    path: `/api/services/${id}/threads?limit=50`,
  }),
  customerMessages: (id: string, connectionId: string): SameCall => ({
    method: 'GET',
    path: `/api/services/${id}/customers/${connectionId}/messages`,
    sdk: `for await (const message of data.messages.list('${connectionId}')) console.log(message.text);`,
  }),
  logs: (id: string): SameCall => ({
    method: 'GET',
    path: `/api/services/${id}/logs?limit=50`,
    sdk: 'for await (const entry of data.logs()) console.log(entry.created_at, entry.message);',
  }),
  events: (id: string): SameCall => ({
    method: 'GET',
    path: `/api/services/${id}/events?limit=50`,
    sdk: `const { items } = await client.recentEvents('${id}', { limit: 50 });`,
  }),
  run: (
    { serviceId, flowId }: FlowPlace,
    { id, current_node: node }: Pick<FlowRun, 'id' | 'current_node'>,
  ): SameCall => ({
    method: 'GET',
    path: `/api/services/${serviceId}/flows/${flowId}/runs/${id}`,
    sdk: [
      `const { run } = await data.flows.run('${id}');`,
      `await data.flows.processRun(run, { ${node ?? 'step'}: ({ answers }) => ({ … }) });`,
    ].join('\n'),
  }),
  startRun: (id: string, flowId: string): SameCall => ({
    method: 'POST',
    path: `/api/services/${id}/flows/${flowId}/runs`,
    body: { target: { connection_id: '…' }, bindings: { customer: '…' } },
    sdk: `const run = await data.flows.start('${flowId}', { connectionId });`,
  }),
  registerClient: (id: string): SameCall => ({
    method: 'POST',
    path: `/api/services/${id}/client`,
    sdk: `const { client_id, client_secret } = await client.registerDataClient('${id}');`,
  }),
  webhooks: (id: string): SameCall => ({
    method: 'GET',
    path: `/api/services/${id}/webhooks`,
    sdk: `await client.webhooks('${id}');`,
  }),
  attempts: (serviceId: string, id: string): SameCall => ({
    method: 'GET',
    path: `/api/services/${serviceId}/webhooks/${id}/attempts?only=failed`,
    sdk: `const { items } = await client.webhookAttempts('${serviceId}', '${id}', { only: 'failed' });`,
  }),
  holders: {
    method: 'GET',
    path: '/api/account/recovery-key/holders',
    sdk: 'await client.recovery.holders();',
  },
  recoveryCopies: {
    method: 'GET',
    path: '/api/account/recovery-copies',
    sdk: 'await client.recovery.secrets({ password });',
  },
  secondFactor: { method: 'GET', path: '/api/account/2fa', sdk: 'await client.security.twoFactor();' },
  profile: { method: 'GET', path: '/api/profile', sdk: 'await client.profile.read();' },
  publish: (id: string, token: string, rows: readonly RequestFieldInput[]): SameCall => ({
    method: 'PUT',
    path: `/api/services/${id}/request-fields`,
    body: { config_token: token, request_fields: rows },
    sdk: `await client.publishRequestFields('${id}', rows, '${token}');`,
  }),
} as const satisfies Record<string, SameCall | ((...about: never[]) => SameCall)>;
