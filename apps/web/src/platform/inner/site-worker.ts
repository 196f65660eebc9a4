/** The service workers of this site; undefined where the browser has none, or refuses them with all site data. */
export function serviceWorkers(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}

/** The service worker of this site, where there is one. */
export async function siteWorker(): Promise<ServiceWorkerRegistration | undefined> {
  return serviceWorkers()
    ?.getRegistration()
    .catch(() => undefined);
}
