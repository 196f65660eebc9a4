/**
 * Uses every entry point of the packed packages, as a company's backend would. The test compiles this with TypeScript
 * 5.9 and 7 against the packed declarations, without `skipLibCheck`; in the repository it is compiled against the sources.
 */
import { createServer } from 'node:http';
import { createServiceKey, inspectPem } from '@symbolon/crypto';
import { openTextSync, privateKeyObject } from '@symbolon/crypto/node';
import { FieldTypeRegistry, systemRegistry } from '@symbolon/field-types';
import { decideRoute, type FlowDefinition } from '@symbolon/flows';
import { type ChangeEvent, Service } from '@symbolon/protocol';
import { Event, type EventName, limits } from '@symbolon/protocol/constants';
import { type Change, ChangePump, DataClient, NotFoundError, PlainDate, SymbolonError } from '@symbolon/sdk';
import { AccountClient } from '@symbolon/sdk/account';
import { CustomerClient } from '@symbolon/sdk/customer';
import { PersonClient } from '@symbolon/sdk/person';
import { PortalClient } from '@symbolon/sdk/portal';
import { SandboxCustomer } from '@symbolon/sdk/sandbox';
import { SignInClient } from '@symbolon/sdk/sign-in';
import { nodeHandler, verifyDelivery, WebhookReceiver } from '@symbolon/sdk/webhooks';

export async function backend(pkcs8: Uint8Array): Promise<string[]> {
  const client = DataClient.fromEnvironment();
  const names: string[] = [];
  for await (const connection of client.connections({ pageSize: limits.pageMost })) {
    const { email, birthday } = connection.values;
    if (email?.verified) names.push(`${connection.displayName} ${String(email.value)}`);
    if (birthday?.value instanceof PlainDate) names.push(String(birthday.value.year));
  }
  const handle = async (change: Change) => {
    if (change.event === Event.fieldUpdated) names.push(String(change.value?.value));
  };
  const pump = new ChangePump({ client, file: 'changes.db', handle, onError: (error) => failed(error) });
  pump.start();
  await pump.stop();
  names.push(openTextSync('{}', privateKeyObject(pkcs8)));
  return names;
}

function failed(error: unknown): string {
  if (error instanceof NotFoundError) return 'gone';
  return error instanceof SymbolonError ? error.errorKey : 'unknown';
}

export function receive(onName: (name: EventName) => void) {
  const receiver = new WebhookReceiver({
    webhooks: { authType: 'hmac', secret: 'a secret' },
    onEvent: async (event: ChangeEvent) => onName(event.event as EventName),
  });
  return { server: createServer(nodeHandler(receiver)), verifyDelivery };
}

export async function account(): Promise<string> {
  const client = AccountClient.fromEnvironment();
  const customer = CustomerClient.fromEnvironment();
  for (const consent of await customer.consents()) await customer.declineConsent(consent.id);
  const { service } = await client.createService({ name: 'Shop', adminEmail: 'ops@acme.example' });
  return `${service.id} ${Object.keys(Service).length}`;
}

export const classes = [PersonClient, PortalClient, SandboxCustomer, SignInClient];
export const labels = new FieldTypeRegistry(systemRegistry.rows).order();
export const route = (definition: FlowDefinition) => decideRoute(definition, 'start', new Map());
export const keys = { createServiceKey, inspectPem };
