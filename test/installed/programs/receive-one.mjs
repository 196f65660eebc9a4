// Receives a signed delivery and a forged one, where servers speak in Request and Response.
import { createHmac } from 'node:crypto';
import { fetchHandler, WebhookReceiver } from '@symbolon/sdk/webhooks';

const secret = 'whsec';
const handle = fetchHandler(
  new WebhookReceiver({
    webhooks: { authType: 'hmac', secret },
    onEvent: ({ event, slug }) => console.log(event, slug),
  }),
);
const body = JSON.stringify({ event: 'field_updated', slug: 'email' });
const statuses = [];
for (const key of [secret, 'another']) {
  const headers = { 'x-platform-signature': createHmac('sha256', key).update(body).digest('hex') };
  const { status } = await handle(new Request('http://receiver/', { method: 'POST', body, headers }));
  statuses.push(status);
}
console.log(...statuses);
