/**
 * A site that people sign in to, with Fastify and nothing else.
 *
 *   SYMBOLON_URL=http://localhost:8080 CLIENT_ID=app_… CLIENT_SECRET=… npm exec -- node examples/sign-in/server.ts
 *
 * Register the app with the redirect URI http://localhost:3000/cb (docs/sign-in.md). An app without a secret leaves CLIENT_SECRET out.
 */
import { randomBytes } from 'node:crypto';
import { type PendingSignIn, SignInClient, SymbolonError } from '@symbolon/sdk/sign-in';
import { type FastifyInstance, fastify } from 'fastify';

/** What the site knows about a browser. A real site keeps this in its database, with an end. */
type Session = { pending?: PendingSignIn; subject?: string };

export function createSite(options: {
  url: string;
  clientId: string;
  clientSecret?: string | undefined;
  origin: string;
}): FastifyInstance {
  const { url, clientId, clientSecret, origin } = options;
  const client = new SignInClient({ url, clientId, clientSecret, redirectUri: `${origin}/cb` });
  const sessions = new Map<string, Session>();
  const site = fastify();

  const sessionOf = (cookie: string | undefined): Session | undefined =>
    sessions.get(/(?:^|; )sid=([\w-]{43})/.exec(cookie ?? '')?.[1] ?? '');

  site.get('/', async (request, reply) => {
    const subject = sessionOf(request.headers.cookie)?.subject;
    reply.type('text/html');
    return subject === undefined ? '<a href="/login">Sign in</a>' : `<p>You are ${escaped(subject)}.</p>`;
  });

  site.get('/login', async (_request, reply) => {
    const pending = client.begin({ mode: 'signin' });
    const sid = randomBytes(32).toString('base64url');
    sessions.set(sid, { pending });
    return reply.header('set-cookie', cookieOf(sid, origin)).redirect(pending.url);
  });

  site.get('/cb', async (request, reply) => {
    const session = sessionOf(request.headers.cookie);
    const pending = session?.pending;
    if (session === undefined || pending === undefined) return reply.code(400).send('Start again at /login.');
    // Each sign-in is completed once, whatever comes of it.
    delete session.pending;
    try {
      const person = await client.complete(request.url, pending);
      // A new id for the session: an id known before the sign-in is worthless after it.
      const sid = randomBytes(32).toString('base64url');
      sessions.set(sid, { subject: person.subject });
      return reply.header('set-cookie', cookieOf(sid, origin)).redirect('/');
    } catch (error) {
      if (error instanceof SymbolonError && error.errorKey === 'oauth.access_denied')
        return reply.code(403).send('You did not sign in.');
      throw error;
    }
  });

  return site;
}

/** Lax: the browser comes back from another site by a link, and must bring it. */
function cookieOf(sid: string, origin: string): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `sid=${sid}; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600${secure}`;
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

if (import.meta.main) {
  const { SYMBOLON_URL: url = 'http://localhost:8080', CLIENT_ID: clientId, CLIENT_SECRET } = process.env;
  if (!clientId)
    throw new Error('Set CLIENT_ID, and CLIENT_SECRET if the app has one: registering the app gives both.');
  const origin = 'http://localhost:3000';
  const site = createSite({ url, clientId, clientSecret: CLIENT_SECRET, origin });
  await site.listen({ host: 'localhost', port: 3000 });
  // Not the address by numbers that Fastify tells: people come back to the name.
  console.log(origin);
}
