/// <reference lib="webworker" />
/** Shows that somebody asks. A push says nothing more: the page fetches the rest when it is opened. */
const worker = self as unknown as ServiceWorkerGlobalScope;

const TEXTS: Readonly<Record<string, { title: string; body: string }>> = {
  en: { title: 'Symbolon', body: 'A service asks for your approval.' },
  de: { title: 'Symbolon', body: 'Ein Dienst bittet um Ihre Freigabe.' },
};
const PAGE = '/me/approvals';

worker.addEventListener('install', () => worker.skipWaiting());
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

// Every push shows a notification, whatever it carries: browsers take the right back from sites that are silent.
worker.addEventListener('push', (event) => {
  const [language = 'en'] = navigator.language.split('-');
  const { title, body } = TEXTS[language] ?? { title: 'Symbolon', body: 'A service asks for your approval.' };
  event.waitUntil(worker.registration.showNotification(title, { body, tag: 'approval', icon: '/icon.svg' }));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open());
});

/** The page says when its cards are answered. */
worker.addEventListener('message', (event) => {
  if (event.data === 'answered') event.waitUntil(closeAll());
});

async function closeAll(): Promise<void> {
  for (const notification of await worker.registration.getNotifications({ tag: 'approval' }))
    notification.close();
}

async function open(): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find(({ url }) => new URL(url).pathname === PAGE);
  if (shown) await shown.focus();
  else await worker.clients.openWindow(PAGE);
}
