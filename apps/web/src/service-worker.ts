/// <reference lib="webworker" />
/** Shows what kind of thing waits. A push says nothing more: the page fetches the rest when it is opened. */
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

worker.addEventListener('install', () => worker.skipWaiting());
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

// Every push shows a notification, whatever it carries: browsers take the right back from sites that are silent.
worker.addEventListener('push', (event) => {
  const [language = 'en'] = navigator.language.split('-');
  const kind = kindOf(event.data);
  const body = (TEXTS[language] ?? ENGLISH)[kind];
  // Without `renotify` a second one would replace the first in silence. The library of types does not have it.
  const options = { body, tag: kind, renotify: true, icon: '/icon.svg' };
  event.waitUntil(worker.registration.showNotification(TITLE, options));
});

function kindOf(data: PushMessageData | null): Kind {
  try {
    const { kind } = data?.json() ?? {};
    if (kind === 'message' || kind === 'request' || kind === 'flow') return kind;
  } catch {}
  return 'approval';
}

worker.addEventListener('notificationclick', (event) => {
  const kind = event.notification.tag as Kind;
  event.notification.close();
  event.waitUntil(kind === 'approval' ? open() : worker.clients.openWindow(PAGES[kind]).then(() => {}));
});

worker.addEventListener('message', (event) => {
  // The page says when its cards are answered, and asks as which window the worker knows it.
  if (event.data === 'answered') event.waitUntil(closeAll());
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
  if (shown instanceof WindowClient) await shown.focus();
  else await worker.clients.openWindow(PAGES.approval);
}
