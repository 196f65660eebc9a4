import { COMPANY } from './callers.ts';
import { AUDIENCES, FIELDS, SHARE_FIELDS } from './fields.ts';
import type { Resource } from './types.ts';
import { WEBHOOKS } from './webhooks.ts';

const ENDED = 'for the private key and its passphrase; readable by you only';

const SERVICES: Resource = {
  name: 'services',
  does: 'services of the company',
  as: COMPANY,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list them',
      call: 'GET /api/services',
      items: 'items',
      paged: 'offset',
      columns: ['share_code', 'name', 'connection_count', 'id'],
      examples: ['services', 'services list --json'],
    },
    {
      name: 'get',
      does: 'show one',
      call: 'GET /api/services/{service}',
      args: ['service'],
      examples: ['services get SHOP'],
    },
    {
      name: 'feed',
      does: 'show how many events wait in the change feed, and since when',
      call: 'GET /api/services/{service}/changes',
      args: ['service'],
      examples: ['services feed SHOP'],
    },
    {
      name: 'events',
      does: 'watch what is raised, without any value, the latest first',
      call: 'GET /api/services/{service}/events',
      args: ['service'],
      items: 'items',
      paged: 'before',
      columns: ['at', 'event', 'share_code', 'slug', 'id'],
      examples: ['services events SHOP', 'services events SHOP --limit 20 --json'],
      notes: 'The first call begins: events are noted for some minutes after each one.',
    },
    {
      name: 'create',
      does: 'create one with a key made here',
      call: 'POST /api/services',
      options: [
        { member: 'name', does: 'what people see', required: true },
        { member: 'admin_email', does: 'who hears of problems', required: true },
      ],
      special: 'create-service',
      examples: ['services create --name Shop --admin-email ops@acme.example --out shop-key'],
      notes: `--out names a folder ${ENDED}. The platform gets the key encrypted, and the passphrase sealed
to the recovery key, whose fingerprint the sign-in must have confirmed: symbolon account recovery-key, or
SYMBOLON_RECOVERY_KEY_FINGERPRINT.`,
    },
    {
      name: 'set',
      does: 'change what is given, and keep the rest',
      call: 'PUT /api/services/{service}',
      args: ['service'],
      options: [
        { member: 'name', does: 'what people see' },
        {
          member: 'share_code',
          does: '1 to 8 of A-Z and 0-9',
          call: 'PUT /api/services/{service}/share-code',
        },
        {
          member: 'admin_email',
          does: 'who hears of problems',
          call: 'PUT /api/services/{service}/admin-email',
        },
        {
          member: 'audience',
          does: 'who may connect',
          choices: AUDIENCES,
          call: 'PUT /api/services/{service}/audience',
        },
        {
          member: 'require_2fa',
          does: 'whether people prove two factors when they connect',
          kind: 'switch',
          call: 'PUT /api/services/{service}/require-2fa',
        },
        {
          member: 'number_matching',
          does: 'whether people type the digits of a challenge',
          kind: 'switch',
          call: 'PUT /api/services/{service}/number-matching',
        },
      ],
      examples: ['services set SHOP --name "The shop" --number-matching true'],
    },
    {
      name: 'replace-key',
      does: 'give one a new key, made here; keep the former key, which opens what was sealed to it',
      call: 'PUT /api/services/{service}/key',
      args: ['service'],
      special: 'replace-key',
      waits: 'until all customers are notified',
      asks: 'Values that are there open with the former key alone.',
      examples: ['services replace-key SHOP --out new-key --yes'],
      notes: `--out names a folder ${ENDED}.`,
    },
    {
      name: 'delete',
      does: 'delete one',
      call: 'DELETE /api/services/{service}',
      args: ['service'],
      options: [{ member: 'confirm', does: 'end its connections too', kind: 'switch' }],
      waits: 'until all connections have ended',
      asks: 'Its configuration and its data are gone, and its connections end.',
      examples: ['services delete SHOP --yes', 'services delete SHOP --confirm true --yes'],
    },
    {
      name: 'jobs',
      does: 'how far the work is that acts on a service have left to the platform; of a deleted one too',
      call: 'GET /api/services/{service}/jobs',
      args: ['service'],
      items: 'jobs',
      columns: ['state', 'kind', 'done', 'total', 'created_at'],
      waits: 'until it is done',
      examples: ['services jobs SHOP', 'services jobs SHOP --json'],
    },
    {
      name: 'private-key',
      does: 'write the encrypted private key, as a PEM that its passphrase opens',
      call: 'GET /api/services/{service}/private-key.pem',
      args: ['service'],
      download: true,
      as: ['account client'],
      examples: ['services private-key SHOP --out service-key.pem'],
    },
    {
      name: 'former-keys',
      does: 'list the keys that were replaced',
      call: 'GET /api/services/{service}/former-keys',
      args: ['service'],
      items: 'keys',
      columns: ['replaced_at', 'public_key_sha256'],
      as: ['account client'],
      examples: ['services former-keys SHOP --json'],
    },
  ],
};

const DATA_CLIENT: Resource = {
  name: 'services client',
  does: 'the data client of a service, which reads what people share with it',
  as: COMPANY,
  usual: 'get',
  verbs: [
    {
      name: 'get',
      does: 'show it; never its secret',
      call: 'GET /api/services/{service}/client',
      examples: ['services client get --service SHOP'],
    },
    {
      name: 'create',
      does: 'create it; its secret is shown this once',
      call: 'POST /api/services/{service}/client',
      once: ['client_secret', 'client_id'],
      examples: ['services client create --service SHOP --out client.json'],
    },
    {
      name: 'regenerate',
      does: 'give it a new secret, shown this once; its tokens end',
      call: 'POST /api/services/{service}/client/regenerate-secret',
      once: ['client_secret', 'client_id'],
      asks: 'The secret that programs have is void at once.',
      examples: ['services client regenerate --service SHOP --out client.json --yes'],
    },
    {
      name: 'delete',
      does: 'delete it; its tokens end at once',
      call: 'DELETE /api/services/{service}/client',
      asks: 'Programs that read the service stop at once.',
      examples: ['services client delete --service SHOP --yes'],
    },
  ],
};

const SHOWN_PHOTOS: Resource = {
  name: 'services photos',
  does: 'the photos that a service shows',
  as: COMPANY,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list them, in their order',
      call: 'GET /api/services/{service}/photos',
      items: 'photos',
      columns: ['id', 'label', 'media_type', 'width', 'height'],
      examples: ['services photos list --service SHOP'],
    },
    {
      name: 'create',
      does: 'show one more',
      call: 'POST /api/services/{service}/photos',
      options: [{ member: 'photo_id', does: 'of symbolon photos', of: 'photo', required: true }],
      items: 'photos',
      columns: ['id', 'label'],
      examples: ['services photos create --service SHOP --photo-id PHOTO_ID'],
    },
    {
      name: 'set',
      does: 'show exactly these, in this order',
      call: 'PUT /api/services/{service}/photos',
      options: [{ member: 'photo_ids', does: 'of symbolon photos', kind: 'list', of: 'photo' }],
      items: 'photos',
      columns: ['id', 'label'],
      examples: ['services photos set --service SHOP --photo-ids FIRST SECOND'],
    },
    {
      name: 'delete',
      does: 'show one no longer',
      call: 'DELETE /api/services/{service}/photos/{photo}',
      args: ['photo'],
      asks: 'The service shows it no longer; the company keeps it.',
      examples: ['services photos delete PHOTO_ID --service SHOP --yes'],
    },
  ],
};

export const SERVICE_RESOURCES: readonly Resource[] = [
  SERVICES,
  DATA_CLIENT,
  SHOWN_PHOTOS,
  FIELDS,
  SHARE_FIELDS,
  WEBHOOKS,
];
