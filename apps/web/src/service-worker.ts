/// <reference lib="webworker" />
/*
 * What the installed app does beside its pages: it opens them without a network, takes files that other apps share, and shows what kind of
 * thing waits. A push says nothing more: the page fetches the rest when it is opened.
 */
import type { DeviceList } from '@symbolon/protocol';

const worker = self as unknown as ServiceWorkerGlobalScope;

const TITLE = 'Symbolon';
type Kind = 'approval' | 'message' | 'request' | 'flow';
const ENGLISH: Readonly<Record<Kind, string>> = {
  approval: 'A service asks for your approval.',
  message: 'A service wrote to you.',
  request: 'A service asks to connect with you.',
  flow: 'A service waits for your next step.',
};
const TEXTS: Readonly<Record<string, Readonly<Record<Kind, string>>>> = {
  de: {
    approval: 'Ein Dienst bittet um Ihre Freigabe.',
    message: 'Ein Dienst hat Ihnen geschrieben.',
    request: 'Ein Dienst möchte sich mit Ihnen verbinden.',
    flow: 'Ein Dienst wartet auf Ihren nächsten Schritt.',
  },
};
const PAGES: Readonly<Record<Kind, string>> = {
  approval: '/me/approvals',
  message: '/me/messages',
  request: '/me/requests',
  flow: '/me/flows',
};

/** What a person's pages load. The build writes it before this script; out of its sources there is nothing to keep. */
type Offline = { readonly version: string; readonly files: readonly string[] };
const { offline } = self as { offline?: Offline };
const PAGE = '/me';
const KEPT = `pages ${offline?.version}`;
/** After so long without an answer the kept page is shown. */
const PATIENCE_MS = 4_000;

// A new worker takes over at once: pages of the version before it find their files in the cache before its own.
worker.addEventListener('install', (event) => {
  worker.skipWaiting();
  event.waitUntil(keepPages());
});
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));

/** Files of the pages alone: what the platform answers is kept by the pages, sealed. */
async function keepPages(): Promise<void> {
  if (offline === undefined) return;
  const cache = await caches.open(KEPT);
  await cache.addAll([new Request(PAGE, { cache: 'no-cache' }), ...offline.files]);
}

async function takeOver(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith('pages '));
  // In the order in which they were made. A page that has stayed open goes on with the version before.
  for (const name of names.slice(0, -2)) await caches.delete(name);
  await worker.clients.claim();
}

// Every push shows a notification, whatever it carries: browsers take the right back from sites that are silent.
worker.addEventListener('push', (event) => {
  const [language = 'en'] = navigator.language.split('-');
  const kind = kindOf(event.data);
  const body = (TEXTS[language] ?? ENGLISH)[kind];
  // Without `renotify` a second one would replace the first in silence. The library of types does not have it.
  // Phones draw no SVG there.
  const options = { body, tag: kind, renotify: true, icon: '/icon-192.png' };
  event.waitUntil(Promise.all([worker.registration.showNotification(TITLE, options), mark()]));
});

/** Marks the icon of the installed app. How many things wait is known to the pages alone: one that is looked at shows it. */
async function mark(): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window' });
  if (windows.some(({ visibilityState }) => visibilityState === 'visible')) return;
  // Refused where the app is not installed: there is no icon then.
  await worker.navigator.setAppBadge?.().catch(() => undefined);
}

// A push service may replace a subscription at any time: nothing arrives until the platform knows the new one.
worker.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(renew(event as PushSubscriptionChangeEvent)),
);

const DEVICES = '/api/person/devices';

/** What cannot be sent now, as without a network, is sent by the page that is opened next. */
async function renew({ newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const { push, devices } = await read<DeviceList>(DEVICES);
  // Whoever is signed in by now may have asked for nothing.
  if (!devices.some(({ current }) => current)) return;
  const subscription =
    newSubscription ??
    (await worker.registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: push.application_server_key,
    }));
  const { anti_forgery_token: token } = await read<{ anti_forgery_token: string }>('/api/person/session');
  await fetch(DEVICES, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': token },
    body: JSON.stringify(subscription),
  });
}

async function read<T>(address: string): Promise<T> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}.`);
  return answer.json();
}

function kindOf(data: PushMessageData | null): Kind {
  try {
    const { kind } = data?.json() ?? {};
    if (kind === 'message' || kind === 'request' || kind === 'flow') return kind;
  } catch {}
  return 'approval';
}

/** Files that another app has shared, until the page asks for them. They are kept nowhere else: they are not sealed yet. */
let shared: readonly FormDataEntryValue[] = [];
let taken = Promise.withResolvers<void>();

worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (origin !== worker.location.origin) return;
  if (method === 'POST' && pathname === '/me/shared') {
    event.respondWith(takeIn(event.request));
    // A browser ends a worker that has nothing to do, and the page may take long to load.
    taken = Promise.withResolvers();
    event.waitUntil(taken.promise);
  } else if (method !== 'GET' || offline === undefined) {
    // Everything else is between the page and the platform.
  } else if (mode === 'navigate' && /^\/(?:sign-in|me(?:\/.*)?)?$/.test(pathname))
    event.respondWith(pageOf(event.request));
  else if (pathname.startsWith('/assets/')) event.respondWith(fileOf(event.request));
});

/** The page as the platform has it, else as it was when this worker came. */
async function pageOf(request: Request): Promise<Response> {
  const answer = fetch(request);
  const kept = async () => (await caches.open(KEPT)).match(PAGE);
  try {
    const inTime = await Promise.race([answer, late()]);
    return inTime ?? (await kept()) ?? (await answer);
  } catch (error) {
    const page = await kept();
    if (page === undefined) throw error;
    return page;
  }
}

const late = () => new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));

/** The name of such a file changes with what is in it. */
async function fileOf(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

async function takeIn(request: Request): Promise<Response> {
  const files = (await request.formData()).getAll('file');
  shared = files.filter((file) => file instanceof File);
  return Response.redirect('/me/fields#shared', 303);
}

worker.addEventListener('notificationclick', (event) => {
  const kind = event.notification.tag as Kind;
  event.notification.close();
  event.waitUntil(kind === 'approval' ? open() : worker.clients.openWindow(PAGES[kind]).then(() => {}));
});

worker.addEventListener('message', (event) => {
  // The page says when its cards are answered, and asks for shared files, and as which window the worker knows it.
  if (event.data === 'answered') event.waitUntil(closeAll());
  if (event.data === 'shared') {
    event.ports[0]?.postMessage(shared);
    shared = [];
    taken.resolve();
  }
  if (event.data === 'who' && event.source instanceof Client) event.ports[0]?.postMessage(event.source.id);
});

async function closeAll(): Promise<void> {
  for (const notification of await worker.registration.getNotifications({ tag: 'approval' }))
    notification.close();
}

async function open(): Promise<void> {
  // The window that shows the page holds a lock. A client's `url` does not tell: it is where the window was loaded.
  const { held = [] } = await navigator.locks.query();
  const lock = held.find(({ name }) => name?.startsWith('approvals '))?.name;
  const shown = lock && (await worker.clients.get(lock.slice('approvals '.length)));
  if (shown instanceof WindowClient) {
    await shown.focus();
    // What the person had put off comes back.
    shown.postMessage('look');
  } else await worker.clients.openWindow(PAGES.approval);
}
