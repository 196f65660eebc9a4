import { capabilities } from '@symbolon/protocol/constants';
import { COMPANY, PORTAL } from './callers.ts';
import { DELEGATES } from './delegates.ts';
import type { Option, Resource } from './types.ts';

const ACCOUNT: Resource = {
  name: 'account',
  does: 'the company itself, and what only its logins see',
  as: COMPANY,
  verbs: [
    {
      name: 'get',
      does: 'show the company',
      call: 'GET /api/account',
      examples: ['account get', 'account get --json'],
    },
    {
      name: 'recovery-copies',
      does: 'list the sealed copies of passphrases and secrets',
      call: 'GET /api/account/recovery-copies',
      items: 'items',
      examples: ['account recovery-copies --json'],
    },
  ],
};

const SESSIONS: Resource = {
  name: 'account sessions',
  does: 'sessions of the login',
  as: PORTAL,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list them',
      call: 'GET /api/account/sessions',
      items: 'items',
      columns: ['current', 'created_at', 'last_seen_at', 'user_agent', 'id'],
      examples: ['account sessions'],
    },
    {
      name: 'delete',
      does: 'end one',
      call: 'DELETE /api/account/sessions/{session}',
      args: ['session'],
      asks: 'Whoever uses it has to sign in again.',
      examples: ['account sessions delete SESSION_ID --yes'],
    },
  ],
};

const CLIENTS: Resource = {
  name: 'clients',
  does: 'account clients: machines that act as the company; by a login of the portal',
  as: PORTAL,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list them; never a secret',
      call: 'GET /api/account/clients',
      items: 'clients',
      columns: ['client_id', 'name', 'capabilities', 'purpose'],
      examples: ['clients', 'clients list --json'],
    },
    {
      name: 'get',
      does: 'show one; never its secret',
      call: 'GET /api/account/clients',
      args: ['client'],
      items: 'clients',
      pick: 'client_id',
      examples: ['clients get acct_x'],
    },
    {
      name: 'uses',
      does: 'list when clients of every kind last obtained a token, to the hour',
      call: 'GET /api/account/client-uses',
      items: 'items',
      columns: ['client_id', 'kind', 'last_used_at'],
      examples: ['clients uses', 'clients uses --json'],
    },
    {
      name: 'create',
      does: 'create one; its secret is shown this once',
      call: 'POST /api/account/clients',
      options: [
        { member: 'name', does: 'what it is for, in words', required: true },
        {
          member: 'capabilities',
          flag: 'capability',
          does: 'what it may do beside reading the account',
          kind: 'list',
          choices: capabilities,
        },
        { member: 'purpose', does: 'a name for programs, one of its kind; set now or never' },
      ],
      once: ['client_secret', 'client_id'],
      examples: [
        'clients create --name "Deploy robot" --capability service_management --out robot.json',
        'clients create --name Sync --capability company_profile_fields oauth_apps --purpose sync',
      ],
    },
    {
      name: 'set',
      does: 'replace the capabilities of one; in effect at once',
      call: 'PUT /api/account/clients/{client}/capabilities',
      args: ['client'],
      options: [
        {
          member: 'capabilities',
          flag: 'capability',
          does: 'all it shall have; none leaves the baseline',
          kind: 'list',
          choices: capabilities,
          required: true,
        },
      ],
      examples: ['clients set acct_x --capability service_management oauth_apps'],
    },
    {
      name: 'regenerate',
      does: 'give one a new secret, shown this once; its tokens end',
      call: 'POST /api/account/clients/{client}/regenerate-secret',
      args: ['client'],
      once: ['client_secret', 'client_id'],
      asks: 'The secret that programs have is void at once.',
      examples: ['clients regenerate acct_x --out robot-new.json --yes'],
    },
    {
      name: 'delete',
      does: 'delete one; its tokens end at once',
      call: 'DELETE /api/account/clients/{client}',
      args: ['client'],
      asks: 'Programs that use it stop at once.',
      examples: ['clients delete acct_x --yes'],
    },
  ],
};

const APP: readonly Option[] = [
  {
    member: 'claims_delivery',
    does: 'how name and e-mail reach the app',
    choices: ['encrypted', 'plaintext'],
  },
  { member: 'service_id', does: 'the service of connect and 2fa_enroll', of: 'service', clears: true },
  { member: 'require_2fa', does: 'whether people prove a second factor', kind: 'switch' },
  { member: 'detached', does: 'whether sign-ins may be approved on another screen', kind: 'switch' },
  {
    member: 'id_token_signed_response_alg',
    does: 'how id_tokens are signed',
    choices: ['RS256', 'EdDSA'],
  },
  { member: 'public_key', does: 'claims are sealed to it: SPKI, base64' },
];
const APP_PATH = '/api/account/oauth-apps/{app}';

const APPS: Resource = {
  name: 'apps',
  does: 'sign-in apps of the company',
  as: COMPANY,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list them; never a secret',
      call: 'GET /api/account/oauth-apps',
      items: 'oauth_apps',
      columns: ['client_id', 'name', 'app_type', 'redirect_uris'],
      examples: ['apps', 'apps list --json'],
    },
    {
      name: 'get',
      does: 'show one; never its secret',
      call: `GET ${APP_PATH}`,
      args: ['app'],
      examples: ['apps get app_x'],
    },
    {
      name: 'create',
      does: 'create one; the secret of a confidential app is shown this once',
      call: 'POST /api/account/oauth-apps',
      options: [
        { member: 'name', does: 'what people see', required: true },
        {
          member: 'redirect_uris',
          does: 'where people come back to; matched exactly',
          kind: 'list',
          required: true,
        },
        { member: 'app_type', does: 'whether it keeps a secret', choices: ['confidential', 'public'] },
        ...APP,
      ],
      fileOnly: ['claim_config', 'confidential', 'encrypted_private_key', 'private_key_pem'],
      once: ['client_secret', 'client_id'],
      examples: ['apps create --name Shop --redirect-uris https://acme.example/back --out app.json'],
    },
    {
      name: 'set',
      does: 'change what is given, and keep the rest',
      call: `PUT ${APP_PATH}`,
      args: ['app'],
      options: [
        {
          member: 'redirect_uris',
          does: 'all of them: they replace those that are there',
          kind: 'list',
          required: true,
        },
        { member: 'name', does: 'what people see' },
        ...APP,
      ],
      fileOnly: ['claim_config'],
      examples: ['apps set app_x --redirect-uris https://acme.example/back --require-2fa true'],
    },
    {
      name: 'set-key',
      does: 'replace the key that claims are sealed to',
      call: `PUT ${APP_PATH}/key`,
      args: ['app'],
      fileOnly: ['public_key', 'encrypted_private_key', 'private_key_pem'],
      asks: 'Claims open with the new key from now on.',
      examples: ['apps set-key app_x --file key.json --yes'],
    },
    {
      name: 'private-key',
      does: 'show the encrypted private key',
      call: `GET ${APP_PATH}/private-key`,
      args: ['app'],
      as: ['account client'],
      examples: ['apps private-key app_x --json'],
    },
    {
      name: 'regenerate',
      does: 'give one a new secret, shown this once',
      call: `POST ${APP_PATH}/regenerate-secret`,
      args: ['app'],
      once: ['client_secret', 'client_id'],
      asks: 'The secret that the app has is void at once.',
      examples: ['apps regenerate app_x --out app.json --yes'],
    },
    {
      name: 'delete',
      does: 'delete one; nobody signs in to it any more',
      call: `DELETE ${APP_PATH}`,
      args: ['app'],
      asks: 'People can no longer sign in to it.',
      examples: ['apps delete app_x --yes'],
    },
  ],
};

const PLUGIN_PATH = '/api/account/plugins/{plugin}';
const PLUGINS: Resource = {
  name: 'plugins',
  does: 'plugins, whose servers answer fields of forms; by a login of the portal',
  as: PORTAL,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list them, with what uses them',
      call: 'GET /api/account/plugins',
      items: 'plugins',
      columns: ['id', 'name', 'base_url', 'last_refresh', 'last_error'],
      examples: ['plugins', 'plugins list --json'],
    },
    {
      name: 'builtin',
      does: 'list those that come with the platform',
      call: 'GET /api/account/plugins',
      items: 'builtin',
      columns: ['key', 'name', 'enabled'],
      examples: ['plugins builtin'],
    },
    {
      name: 'get',
      does: 'show one',
      call: 'GET /api/account/plugins',
      args: ['plugin'],
      items: 'plugins',
      pick: 'id',
      examples: ['plugins get PLUGIN_ID'],
    },
    {
      name: 'create',
      does: 'add one, and ask it what it offers',
      call: 'POST /api/account/plugins',
      options: [
        { member: 'base_url', does: 'https, on port 443', required: true },
        { member: 'token', does: 'sent to the plugin as a bearer token', kind: 'secret' },
      ],
      special: 'describe-plugin',
      examples: ['plugins create --base-url https://plugin.example --token-file token.txt'],
    },
    {
      name: 'enable',
      does: 'switch on one that comes with the platform',
      call: 'POST /api/account/plugins/builtin/{builtin}',
      args: ['builtin'],
      special: 'describe-plugin',
      examples: ['plugins enable calculator'],
    },
    {
      name: 'set',
      does: 'replace its token',
      call: `PUT ${PLUGIN_PATH}`,
      args: ['plugin'],
      options: [
        {
          member: 'token',
          does: 'sent to the plugin as a bearer token',
          kind: 'secret',
          clears: true,
          required: true,
        },
      ],
      examples: ['plugins set PLUGIN_ID --token-file token.txt', 'plugins set PLUGIN_ID --token-file none'],
    },
    {
      name: 'refresh',
      does: 'ask one again what it offers',
      call: `POST ${PLUGIN_PATH}/registry-pass`,
      args: ['plugin'],
      special: 'describe-plugin',
      examples: ['plugins refresh PLUGIN_ID'],
    },
    {
      name: 'delete',
      does: 'delete one that nothing uses',
      call: `DELETE ${PLUGIN_PATH}`,
      args: ['plugin'],
      asks: 'What it describes is gone.',
      examples: ['plugins delete PLUGIN_ID --yes'],
    },
  ],
};

export const ACCOUNT_RESOURCES: readonly Resource[] = [ACCOUNT, SESSIONS, CLIENTS, APPS, PLUGINS, DELEGATES];
