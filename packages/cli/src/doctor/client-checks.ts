import { readFileSync, statSync } from 'node:fs';
import { textOfFile } from '@symbolon/crypto/node';
import { DataClient, type DataClientOptions, loadPrivateKey } from '@symbolon/sdk';
import { clientOptions } from '../data/open-client.ts';
import { publicKeyOf } from '../keys/public-key.ts';
import { explain, noAnswer, reachAdvice } from '../problem.ts';
import { type Check, type Finding, failed, ok, skipped } from './check.ts';

type Options = { config?: string; url?: string; service?: string };

/**
 * What a company's backend needs to reach the platform and read its values. Each check builds on what those before it found,
 * so they share one long function.
 */
export function clientChecks(options: Options): { checks: Check[]; close: () => Promise<void> } {
  let client: DataClientOptions | undefined;
  let data: DataClient | undefined;
  let dateHeader: string | null = null;
  let reached = false;
  let granted = false;
  let sha256: string | undefined;
  const url = () => options.url ?? client?.url;

  const checks: Check[] = [
    {
      name: 'configuration',
      async run() {
        if (!hasClient(options)) {
          return skipped('none given: --config FILE checks a client');
        }
        try {
          client = {
            ...clientOptions(options.config),
            ...(options.url !== undefined && { url: options.url }),
          };
        } catch (error) {
          return failed(explain(error, { advise: false }).text, CONFIGURATION_TODO);
        }
        return configurationFile(options.config ?? process.env.SYMBOLON_CONFIG, client);
      },
    },
    {
      name: 'reachable',
      async run() {
        const base = url();
        if (base === undefined) return skipped('no address: --url or --config names one');
        if (!/^https?:\/\//i.test(base) || !URL.canParse(base)) {
          const meant = URL.canParse(`http://${base}`) ? `http://${base}` : 'https://symbolon.example';
          return failed(
            `${base} is not an address that begins with http:// or https://`,
            `Give one such as ${meant}.`,
          );
        }
        const found = await health(base);
        reached = found.finding.status === 'ok';
        dateHeader = found.date;
        return found.finding;
      },
    },
    { name: 'clock', run: async () => (reached ? clock(dateHeader) : skipped('needs the platform')) },
    {
      name: 'credentials',
      async run() {
        if (client === undefined) return skipped('needs a configuration');
        if (!reached) return skipped('needs the platform');
        try {
          // Without the key: that one has its own check.
          data = new DataClient({ ...client, privateKey: undefined, ...IMPATIENT });
          const { service_id: service } = await data.whoami();
          granted = true;
          return ok(`${client.clientId} reads service ${service}`);
        } catch (error) {
          granted = !isRefusedGrant(error);
          return failed(explain(error, { advise: false }).text, todoFor(error, granted));
        }
      },
    },
    {
      name: 'whitelist',
      async run() {
        if (data === undefined || !granted) return skipped('needs credentials');
        return whitelist(data);
      },
    },
    {
      name: 'private key',
      async run() {
        if (client === undefined) return skipped('needs a configuration');
        if (client.privateKey === undefined) {
          return failed('none is configured: values stay sealed', 'Set private_key_file and passphrase.');
        }
        try {
          ({ sha256 } = await publicKeyOf(
            loadPrivateKey(client.privateKey).export({ format: 'der', type: 'pkcs8' }),
          ));
          return ok(`opens; fingerprint ${sha256.slice(0, 16)}…`);
        } catch (error) {
          return failed(explain(error, { advise: false }).text, KEY_TODO);
        }
      },
    },
    {
      name: 'key matches',
      async run() {
        if (client === undefined || data === undefined || !granted) return skipped('needs credentials');
        if (sha256 === undefined) return skipped('needs the private key');
        const codes = options.service ?? serviceCodesIn(options.config ?? process.env.SYMBOLON_CONFIG);
        return codes === undefined ? opensAValue(client) : isKeyOf(data, codes, sha256);
      },
    },
  ];
  return {
    checks,
    close: async () => {
      await data?.close();
    },
  };
}

/** Whether there is a client, or at least a platform, to look at. */
export function isClientMeant(options: Options): boolean {
  return options.url !== undefined || options.service !== undefined || hasClient(options);
}

function hasClient(options: Options): boolean {
  if (options.config !== undefined) return true;
  const { SYMBOLON_CONFIG, SYMBOLON_CLIENT_ID, SYMBOLON_CLIENT_SECRET } = process.env;
  return Boolean(SYMBOLON_CONFIG || SYMBOLON_CLIENT_ID || SYMBOLON_CLIENT_SECRET);
}

function configurationFile(file: string | undefined, client: DataClientOptions): Finding {
  if (file !== undefined && process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    return failed(`${file} is open to other users of this machine`, `chmod 600 ${file}`);
  }
  return ok(`${client.clientId} at ${client.url}`);
}

/** What an operator can keep the platform from. */
const HELD: Readonly<Record<string, string>> = {
  writes_paused: 'saves nothing at the moment',
  out_of_order: 'is out of order',
};

async function health(base: string): Promise<{ finding: Finding; date: string | null }> {
  const address = `${base.replace(/\/+$/, '')}/api/health`;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(10_000), redirect: 'manual' });
    const body = (await response.json().catch(() => undefined)) as { status?: unknown } | undefined;
    const date = response.headers.get('date');
    if (response.ok && body?.status === 'ok') return { finding: ok(base), date };
    const held = HELD[String(body?.status)];
    if (response.ok && held !== undefined) {
      return { finding: failed(`${base} ${held}`, 'Wait for the operator to end that.'), date };
    }
    const what = response.ok ? 'something else than a health report' : `status ${response.status}`;
    return { finding: failed(`${address} answers ${what}`, 'Check the address: is it the platform?'), date };
  } catch (error) {
    return { finding: failed(noAnswer(base, error), reachAdvice(error)), date: null };
  }
}

/** The header has whole seconds, so a second either way says nothing. */
function clock(dateHeader: string | null): Finding {
  const theirs = Date.parse(dateHeader ?? '');
  if (Number.isNaN(theirs)) return skipped('the answer has no Date header');
  const seconds = Math.round((Date.now() - theirs) / 1000);
  return Math.abs(seconds) <= SKEW_MOST_SECONDS
    ? ok(Math.abs(seconds) <= 1 ? 'in step with the platform' : `${Math.abs(seconds)} s apart`)
    : failed(
        `this clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the platform's`,
        'Let NTP set the clocks: tokens and verifications expire by them.',
      );
}

/** A call of each family that a data client has (wire 5.3), which take nothing away. */
async function whitelist(data: DataClient): Promise<Finding> {
  const calls = [
    ['/api/company-data/request-fields', () => data.requestFields()],
    ['/api/contact-field-types', () => data.fieldTypes()],
    ['/api/keys/batch', () => data.publicKeys(['none'])],
  ] as const;
  const refused: string[] = [];
  for (const [path, call] of calls) {
    try {
      await call();
    } catch (error) {
      if ((error as { status?: number }).status !== 403) throw error;
      refused.push(path);
    }
  }
  return refused.length === 0
    ? ok('request fields, field types and keys are open')
    : failed(`${refused.join(', ')} refused`, WHITELIST_TODO);
}

async function isKeyOf(data: DataClient, codes: string, sha256: string): Promise<Finding> {
  const [company, service] = codes.split('/');
  if (!company || !service)
    return failed(`${codes} is not COMPANY/SERVICE`, 'Give both codes: --service ACME/SHOP.');
  try {
    const { public_key_sha256: theirs } = await data.publicKey(company, service);
    return theirs === sha256
      ? ok(`it is the key of ${codes}`)
      : failed(`${codes} has another key: ${theirs.slice(0, 16)}…`, KEY_TODO);
  } catch (error) {
    if ((error as { status?: number }).status !== 404) throw error;
    return failed(`there is no service ${codes}`, 'Check both codes in the portal.');
  }
}

/** Without the service's codes its public key cannot be asked for; a value that opens proves as much. */
async function opensAValue(client: DataClientOptions): Promise<Finding> {
  await using data = new DataClient({ ...client, ...IMPATIENT, threads: 1 });
  for await (const { values } of data.connections({ pageSize: 20 })) {
    for (const { value, unreadable } of Object.values(values)) {
      if (unreadable) return failed('it does not open the values people share with this service', KEY_TODO);
      if (value !== null) return ok('it opens a value of this service');
    }
  }
  return skipped('nothing is shared yet; --service COMPANY/SERVICE compares fingerprints');
}

/** Members that are of no use to the client itself; the demo writes them. */
function serviceCodesIn(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const { company_code: company, service_code: service } = JSON.parse(textOfFile(readFileSync(file)));
  return typeof company === 'string' && typeof service === 'string' ? `${company}/${service}` : undefined;
}

function isRefusedGrant(error: unknown): boolean {
  const { errorKey } = error as { errorKey?: string };
  return errorKey !== 'auth.client_endpoint_forbidden';
}

function todoFor(error: unknown, granted: boolean): string {
  if ((error as { errorKey?: unknown }).errorKey === 'sdk.api_url_refused') return ADDRESS_TODO;
  return granted ? WHITELIST_TODO : CREDENTIALS_TODO;
}

const SKEW_MOST_SECONDS = 30;
/** A doctor that waits out a rate limit for minutes is no help. */
const IMPATIENT = { timeoutMs: 10_000, retry: { attempts: 0 } };
const CONFIGURATION_TODO =
  'It takes base_url, client_id, client_secret, private_key_file and passphrase, as a JSON object.';
const CREDENTIALS_TODO =
  'Copy client_id and client_secret from the portal again, or mint a new secret there.';
const ADDRESS_TODO =
  'The operator sets SYMBOLON_PUBLIC_URL to the address that clients use, with https where that begins with https.';
const WHITELIST_TODO = "Have the operator extend the client's whitelist.";
const KEY_TODO =
  'Download the PEM of this very service from the portal, and use the passphrase shown when it was made.';
