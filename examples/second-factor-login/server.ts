/**
 * A login form that asks Symbolon for the second factor, with Fastify and nothing else.
 *
 *   SYMBOLON_CONFIG=client.json SHARE_CODE=K7QW2M PASSWORD=… npm exec -- node examples/second-factor-login/server.ts
 */
import { randomBytes, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { DataClient, SymbolonError, type TwoFactorResult } from '@symbolon/sdk';
import { type FastifyInstance, fastify } from 'fastify';

export type Account = { name: string; salt: Buffer; passwordHash: Buffer; shareCode: string };
/** The password was right; the person is asked. One reader waits, because the platform tells an outcome once. */
type Attempt = { account: Account; outcome: Promise<TwoFactorResult>; stop: AbortController };
/** What the site knows about a browser. A real site keeps this in its database, with an end. */
type Session = { attempt: Attempt } | { account: Account };

export const hashOf = (password: string, salt: Buffer) => scryptSync(password, salt, 32);

export function createLogin(options: {
  client: DataClient;
  accounts: readonly Account[];
  secure: boolean;
}): FastifyInstance {
  const { client, accounts, secure } = options;
  const sessions = new Map<string, Session>();
  const closing = new AbortController();
  const site = fastify({ logger: { level: 'warn' } });
  const form = (_: unknown, body: string | Buffer, done: (error: null, form: URLSearchParams) => void) =>
    done(null, new URLSearchParams(String(body)));
  site.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 4096 },
    form,
  );
  site.addHook(
    'onSend',
    async (_request, reply) => void reply.type('text/html').header('cache-control', 'no-store'),
  );

  const sidOf = (cookie = '') => /(?:^|; )sid=([\w-]{43})/.exec(cookie)?.[1] ?? '';
  /** A new id each time: an id known before the sign-in is worthless after it. */
  const open = (session: Session): string => {
    const sid = randomBytes(32).toString('base64url');
    sessions.set(sid, session);
    // Strict: no other site may finish a login that it began here.
    return `sid=${sid}; Path=/; HttpOnly; SameSite=Strict; Max-Age=3600${secure ? '; Secure' : ''}`;
  };
  const drop = (cookie: string | undefined): Session | undefined => {
    const session = sessions.get(sidOf(cookie));
    sessions.delete(sidOf(cookie));
    return session;
  };

  site.get('/', async (request) => {
    const session = sessions.get(sidOf(request.headers.cookie));
    return session && 'account' in session ? `<p>Hello ${escaped(session.account.name)}.</p>` : FORM;
  });

  site.post('/login', async (request, reply) => {
    const body = request.body as URLSearchParams;
    const account = accounts.find(({ name }) => name === body.get('name'));
    // Hashed for unknown names too, so that the response time does not show which accounts exist.
    const { salt, passwordHash } = account ?? NOBODY;
    const isRight = timingSafeEqual(hashOf(body.get('password') ?? '', salt), passwordHash);
    if (account === undefined || !isRight) return reply.code(401).send('The name or the password is wrong.');
    const before = drop(request.headers.cookie);
    if (before && 'attempt' in before) before.attempt.stop.abort();
    const asked = await client.twoFactor
      .challenge(account.shareCode, { context: 'Sign-in at the example', idempotencyKey: randomUUID() })
      .catch((error: unknown) => {
        if (error instanceof SymbolonError) request.log.warn(error.errorKey);
        else throw error;
      });
    // Not enrolled, muted, asked too often, unreachable: each counts as a refusal.
    if (asked === undefined) return reply.code(503).send('Nobody can be asked now. Try again later.');
    const stop = new AbortController();
    const outcome = client.twoFactor.waitForResult(asked.id, {
      signal: AbortSignal.any([stop.signal, closing.signal]),
    });
    outcome.catch(() => undefined);
    const digits =
      asked.matchingDigits === undefined ? '' : `<p>Type <b>${asked.matchingDigits}</b> there.</p>`;
    return reply
      .header('set-cookie', open({ attempt: { account, outcome, stop } }))
      .send(`<p>Approve on your phone or computer.</p>${digits}${FINISH}`);
  });

  site.post('/finish', async (request, reply) => {
    const session = drop(request.headers.cookie);
    if (!session || !('attempt' in session)) return reply.code(400).send('Start again.');
    const { account, outcome, stop } = session.attempt;
    // Whoever closes the page while it waits is not signed in.
    reply.raw.once('close', () => stop.abort());
    // Approved, and nothing else: denied, expired, revoked, an error and a time-out are all no.
    const isApproved = await outcome.then(({ status }) => status === 'approved').catch(() => false);
    if (!isApproved) return reply.code(403).send('You were not signed in.');
    return reply.header('set-cookie', open({ account })).redirect('/', 303);
  });

  site.addHook('preClose', async () => closing.abort());
  return site;
}

const FORM = `<form method="post" action="/login"><input name="name" autocomplete="username" required>
<input name="password" type="password" autocomplete="current-password" required><button>Sign in</button></form>`;
const FINISH = '<form method="post" action="/finish"><button>Go on</button></form>';
const NOBODY = { salt: randomBytes(16), passwordHash: randomBytes(32) };
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

if (import.meta.main) {
  const { SHARE_CODE: shareCode, PASSWORD: password } = process.env;
  if (!shareCode || !password)
    throw new Error('Set SHARE_CODE, the code of an enrolled person, and PASSWORD.');
  const salt = randomBytes(16);
  const account = { name: 'ada', salt, passwordHash: hashOf(password, salt), shareCode };
  const site = createLogin({ client: DataClient.fromEnvironment(), accounts: [account], secure: false });
  await site.listen({ host: 'localhost', port: 3000 });
  console.log('http://localhost:3000');
}
