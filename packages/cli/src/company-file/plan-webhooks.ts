import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Webhook, WebhookRequest, WebhookWithSecret } from '@symbolon/protocol';
import { Problem } from '../problem.ts';
import { pathOf } from '../resources/find.ts';
import { oneLineOf } from '../terminal/input.ts';
import { keyOf } from './owned.ts';
import {
  type Act,
  differences,
  idOf,
  newPart,
  type Part,
  type Planning,
  shown,
  type Target,
} from './parts.ts';
import { secretMembers, type WantedWebhook } from './shape.ts';

const LIST = '/api/services/{service}/webhooks';
const MASK = '••••';

/** The webhooks of a service, which are recognised by their addresses. */
export async function planWebhooks(target: Target, planning: Planning): Promise<Part> {
  const { present, owned, prune, folder } = planning;
  const part = newPart();
  const { id, wanted } = target;
  const ownsSome = id !== undefined && owned.below(keyOf.webhook(id, '')).length > 0;
  if (wanted.webhooks === undefined && !ownsSome) return part;
  const before = id === undefined ? [] : await present.webhooks(id);
  for (const hook of wanted.webhooks ?? []) {
    const found = before.filter(({ url }) => url === hook.url);
    if (found.length > 1) {
      throw new Problem(
        `${wanted.code} has ${found.length} webhooks with the address ${hook.url}. Delete all but one.`,
      );
    }
    const [former] = found;
    const body = bodyOf(hook, folder);
    const what = `webhook ${hook.url} of ${wanted.code}`;
    if (former === undefined) {
      part.acts.push(creation(target, what, body));
      continue;
    }
    if (id !== undefined) part.same.push(keyOf.webhook(id, former.id));
    const how = changesOf(body, former);
    if (how.length === 0) continue;
    part.acts.push({
      lines: [{ sign: '~', what, how }],
      async run({ api }) {
        const path = pathOf(`PUT ${LIST}/{webhook}`, { service: idOf(target), webhook: former.id });
        await api.json({ method: 'PUT', path, json: body });
      },
    });
  }
  for (const hook of before) {
    const isWanted = wanted.webhooks?.some(({ url }) => url === hook.url);
    if (id === undefined || isWanted || !owned.has(keyOf.webhook(id, hook.id))) continue;
    const what = `webhook ${hook.url} of ${wanted.code}`;
    if (prune) part.acts.push(deletion(id, hook.id, what));
    else part.left.push(what);
  }
  return part;
}

function creation(target: Target, what: string, body: WebhookRequest): Act {
  const isMade = (body.auth_type ?? 'hmac') === 'hmac' && body.hmac_secret === undefined;
  return {
    lines: [{ sign: '+', what, how: [] }],
    ...(isMade && { makesSecret: true as const }),
    async run({ api, owned, keep }) {
      const service = idOf(target);
      const path = pathOf(`POST ${LIST}`, { service });
      const made = await api.json<WebhookWithSecret>({ method: 'POST', path, json: body });
      const { id, url, hmac_secret_once } = made;
      owned.change({ add: [keyOf.webhook(service, id)] });
      if (hmac_secret_once !== undefined) {
        keep(
          `${target.wanted.code}/webhook-${id}.json`,
          `${JSON.stringify({ id, url, hmac_secret_once }, null, 2)}\n`,
        );
      }
    },
  };
}

function deletion(service: string, webhook: string, what: string): Act {
  return {
    lines: [{ sign: '-', what, how: ['the events that wait for it are gone too'] }],
    async run({ api, owned }) {
      await api.json({ method: 'DELETE', path: pathOf(`DELETE ${LIST}/{webhook}`, { service, webhook }) });
      owned.change({ remove: [keyOf.webhook(service, webhook)] });
    },
  };
}

/** What is sent: secrets out of their files. */
function bodyOf(hook: WantedWebhook, folder: string): WebhookRequest {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(hook)) {
    const member = name.replace(/_file$/, '');
    body[member] = secretMembers.includes(member) ? secretOf(resolve(folder, String(value))) : value;
  }
  return body as WebhookRequest;
}

function secretOf(file: string): string {
  const secret = oneLineOf(readFileSync(file));
  if (secret !== undefined) return secret;
  throw new Problem(`${file} has no secret on one line.`, { exitCode: 2 });
}

/** Secrets come back masked, with their last four characters: these are compared. Events are a set. */
function changesOf(body: WebhookRequest, former: Webhook): string[] {
  const { events, ...rest } = body;
  const plain = Object.entries(rest).filter(([name]) => !isMasked(name));
  const how = differences(Object.fromEntries(plain), former);
  if (events !== undefined && shown([...events].sort()) !== shown([...former.events].sort())) {
    how.push(`events: ${former.events.join(', ') || 'all'} → ${events.join(', ') || 'all'}`);
  }
  for (const [name, value] of Object.entries(rest)) {
    if (!isMasked(name) || typeof value !== 'string') continue;
    if (former[name as MaskedName] !== masked(value)) how.push(`${name}: another`);
  }
  return how;
}

type MaskedName =
  | 'hmac_secret'
  | 'auth_token'
  | 'auth_username'
  | 'auth_password'
  | 'auth_header_name'
  | 'auth_header_value';
const isMasked = (name: string) =>
  name === 'auth_username' || name === 'auth_header_name' || secretMembers.includes(name);
/** As the platform shows it: of a short one nothing. */
const masked = (secret: string) => (secret.length >= 8 ? `${MASK}${secret.slice(-4)}` : MASK);
