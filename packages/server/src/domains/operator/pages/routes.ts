import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../core/config.ts';
import { PlatformError } from '../../../core/errors.ts';
import { bestEncoding, takesHtml } from '../../../http/accept.ts';
import type { App } from '../../../http/app.ts';
import { compressed } from '../../../http/compress.ts';
import { namesTag } from '../../../http/etag.ts';
import { startPage } from '../docs/routes.ts';
import type { BuiltPages } from './built-pages.ts';

/** Addresses of pages; the page itself knows what to show at which. */
const PAGES = [
  '/auth',
  '/sign-in',
  '/register',
  '/recover',
  '/verify',
  '/connect/*',
  '/me',
  '/me/*',
  '/portal',
  '/portal/*',
  '/operator',
  '/operator/*',
];
/** Files that a browser looks for at fixed addresses. */
const FIXED = [
  '/icon.svg',
  '/icon-180.png',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable-512.png',
  '/app.webmanifest',
  '/service-worker.js',
];

const PROTECTIONS = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Each answer is compressed anew for its nonce, so quickly: a millisecond for 30 KB, most of which are hashes. */
const LEVEL = 4;

const config = {
  access: 'open',
  limit: 'pages',
  alwaysJson: true,
  ignoresQuery: true,
  answersUncounted: true,
} as const;
/** Of what people open, beside the files that it loads. */
const pageConfig = { ...config, isPage: true } as const;
const schema = { hide: true };

/**
 * The address itself: the page for people where it is built and the caller takes HTML, else a page without scripts.
 * @param showPage sends the page for people
 */
export function startRoute(app: App, showPage?: ShowPage): void {
  app.get('/', { config: pageConfig, schema }, async (request, reply) => {
    reply.header('vary', 'Accept');
    if (showPage !== undefined && takesHtml(request.headers.accept)) return showPage(request, reply);
    return reply
      .type('text/html; charset=utf-8')
      .headers(startPage.headers)
      .send(startPage.html as never);
  });
}

type ShowPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Whether the page for people is what is shown at an address; of the first one a caller who takes no HTML gets another. */
export function isPage(path: string, accept: string | undefined): boolean {
  if (path === '/') return takesHtml(accept);
  return PAGES.some((page) => (page.endsWith('/*') ? path.startsWith(page.slice(0, -1)) : path === page));
}

/** Values that the page reads from its head. */
export function pageSettings(from: PageConfig): Settings {
  return {
    'symbolon-registration': from.dangerouslyRegisterWithoutCode ? 'one-step' : 'code',
    'symbolon-header-word': from.headerName,
  };
}

type Settings = Readonly<Record<string, string>>;
type PageConfig = Pick<Config, 'dangerouslyRegisterWithoutCode' | 'headerName'>;

/** The pages for people, and what they load. */
export function pageRoutes(
  app: App,
  { pages, settings, forwarders }: { pages: BuiltPages; settings: Settings; forwarders: readonly string[] },
): void {
  // What the page says of this platform is part of it: browsers take it anew when an operator changes that.
  const version = createHash('sha256')
    .update(JSON.stringify([pages.version, settings, forwarders]))
    .digest('base64url');
  const named = { ...settings, 'symbolon-version': version };
  const etag = `"${version}"`;
  const showPage: ShowPage = async (request, reply) => {
    const caching = {
      'cache-control': 'private, no-cache',
      etag,
      vary: 'Accept, Accept-Encoding',
    };
    reply.headers({ ...PROTECTIONS, ...caching });
    // The kept page goes on with the nonce and the policy it came with.
    if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    const { html, policy } = pages.page(request.url.split('?', 1)[0] ?? '', named, forwarders);
    const encoding = bestEncoding(String(request.headers['accept-encoding'] ?? ''));
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': policy, 'x-frame-options': 'DENY' })
      .send((encoding === undefined ? html : await compressed(encoding, html, LEVEL)) as never);
  };
  startRoute(app, showPage);
  for (const url of PAGES)
    app.get(url, { config: pageConfig, schema }, async (request, reply) => showPage(request, reply));

  const file = (url: string, nameOf: (params: unknown) => string, caching: string) =>
    app.get(url, { config, schema }, async (request, reply) => {
      const asset = await pages.asset(nameOf(request.params), String(request.headers['accept-encoding']));
      if (asset === undefined) throw new PlatformError('request.not_found');
      const { type, bytes, encoding, policy } = asset;
      if (policy !== undefined) reply.header('content-security-policy', policy);
      if (encoding !== undefined) reply.header('content-encoding', encoding);
      return reply
        .type(type)
        .headers({ ...PROTECTIONS, 'cache-control': caching, vary: 'Accept-Encoding' })
        .send(bytes as never);
    });
  file('/assets/*', (params) => `assets/${(params as { '*': string })['*']}`, IMMUTABLE);
  for (const url of FIXED) file(url, () => url.slice(1), 'public, no-cache');
}

/** The name of such a file has a hash of its content, or its folder a version. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
