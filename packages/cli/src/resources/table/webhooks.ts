import { eventNames } from '@symbolon/protocol/constants';
import { COMPANY } from './callers.ts';
import type { Option, Resource } from './types.ts';

const WEBHOOK: readonly Option[] = [
  { member: 'events', does: 'what is sent; none or left out: all events', kind: 'list', choices: eventNames },
  { member: 'format', does: 'of the body', choices: ['json', 'xml'] },
  {
    member: 'auth_type',
    does: 'how the platform proves that it calls',
    choices: ['hmac', 'bearer', 'basic', 'header', 'none'],
  },
  { member: 'encrypt_payload', does: 'wrap the body for the account key', kind: 'switch' },
  {
    member: 'enabled',
    does: 'whether anything is sent; false: what happens meanwhile is lost',
    kind: 'switch',
  },
  { member: 'paused', does: 'hold events, and send them in order afterwards', kind: 'switch' },
  { member: 'hmac_secret', does: 'for hmac; without one the platform makes it', kind: 'secret' },
  { member: 'auth_token', does: 'for bearer', kind: 'secret' },
  { member: 'auth_username', does: 'for basic' },
  { member: 'auth_password', does: 'for basic', kind: 'secret' },
  { member: 'auth_header_name', does: 'for header' },
  { member: 'auth_header_value', does: 'for header', kind: 'secret' },
];
const HOOK_PATH = '/api/services/{service}/webhooks/{webhook}';

export const WEBHOOKS: Resource = {
  name: 'webhooks',
  does: 'webhooks with their health, and what became of their deliveries',
  as: COMPANY,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list those of one service, or of all services',
      call: 'GET /api/services/{service}/webhooks',
      args: ['service?'],
      items: 'webhooks',
      special: 'all-webhooks',
      columns: ['health', 'enabled', 'paused', 'backlog', 'url', 'id'],
      examples: ['webhooks', 'webhooks SHOP --json'],
    },
    {
      name: 'get',
      does: 'show one',
      call: `GET ${HOOK_PATH}`,
      args: ['webhook'],
      examples: ['webhooks get WEBHOOK_ID --service SHOP'],
    },
    {
      name: 'create',
      does: 'create one; a secret that the platform makes is shown this once',
      call: 'POST /api/services/{service}/webhooks',
      options: [{ member: 'url', does: 'https, on port 443', required: true }, ...WEBHOOK],
      once: ['hmac_secret_once', 'id', 'url'],
      examples: [
        'webhooks create --service SHOP --url https://acme.example/hook --events field_updated --out hook.json',
      ],
    },
    {
      name: 'set',
      does: 'change what is given, and keep the rest',
      call: `PUT ${HOOK_PATH}`,
      args: ['webhook'],
      options: [{ member: 'url', does: 'https, on port 443' }, ...WEBHOOK],
      once: ['hmac_secret_once', 'id', 'url'],
      examples: [
        'webhooks set WEBHOOK_ID --service SHOP --paused true',
        'webhooks set WEBHOOK_ID --hmac-secret-file - < secret.txt',
      ],
    },
    {
      name: 'renew-secret',
      does: 'give one a new HMAC secret, shown this once; the previous one signs beside it for a while',
      call: `POST ${HOOK_PATH}/regenerate-secret`,
      args: ['webhook'],
      options: [
        { member: 'overlap_hours', does: 'for how long, 24 by default; 0 ends it at once', kind: 'whole' },
        { member: 'hmac_secret', does: 'one of your own', kind: 'secret' },
      ],
      once: ['hmac_secret_once', 'id', 'url'],
      examples: ['webhooks renew-secret WEBHOOK_ID --service SHOP --overlap-hours 48 --out hook.json'],
    },
    {
      name: 'end-previous',
      does: 'end the time of the previous HMAC secret now',
      call: `DELETE ${HOOK_PATH}/previous-secret`,
      args: ['webhook'],
      asks: 'Receivers that know only the previous secret refuse what comes from now on.',
      examples: ['webhooks end-previous WEBHOOK_ID --service SHOP --yes'],
    },
    {
      name: 'delete',
      does: 'delete one',
      call: `DELETE ${HOOK_PATH}`,
      args: ['webhook'],
      asks: 'The events that wait for it are gone too.',
      examples: ['webhooks delete WEBHOOK_ID --service SHOP --yes'],
    },
    {
      name: 'test',
      does: 'send an example event now; queue and health stay as they are',
      call: `POST ${HOOK_PATH}/test`,
      args: ['webhook'],
      tells: 'delivered',
      examples: ['webhooks test WEBHOOK_ID --service SHOP'],
      notes: 'Ends with 1 when the example was not delivered; reason says why.',
    },
    {
      name: 'attempts',
      does: 'list what became of the latest deliveries, the latest first',
      call: `GET ${HOOK_PATH}/attempts`,
      args: ['webhook'],
      options: [
        {
          member: 'only',
          does: 'those that were not answered 200, or examples alone',
          choices: ['failed', 'tests'],
        },
      ],
      items: 'items',
      paged: 'offset',
      columns: ['at', 'event', 'status', 'duration_ms', 'reason', 'answer'],
      examples: [
        'webhooks attempts WEBHOOK_ID --service SHOP --only failed --limit 5',
        'webhooks attempts WEBHOOK_ID --json',
      ],
    },
    {
      name: 'preview',
      does: 'show the body that is sent next, as JSON and as XML; while none waits, an example',
      call: `GET ${HOOK_PATH}/preview`,
      args: ['webhook'],
      examples: ['webhooks preview WEBHOOK_ID --service SHOP'],
    },
    {
      name: 'probe',
      does: 'try one that is bad again now, not when its ten minutes are over',
      call: `POST ${HOOK_PATH}/probe`,
      args: ['webhook'],
      examples: ['webhooks probe WEBHOOK_ID --service SHOP'],
    },
  ],
};
