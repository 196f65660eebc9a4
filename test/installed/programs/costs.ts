/** The least program of a backend: what its compiler pays for the types that come along. */
import { DataClient } from '@symbolon/sdk';
import { WebhookReceiver } from '@symbolon/sdk/webhooks';

export async function emails(): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { values } of DataClient.fromEnvironment().connections()) found.push(values.email?.value);
  return found;
}
export const receiver = new WebhookReceiver({ webhooks: { authType: 'none' }, onEvent: () => undefined });
