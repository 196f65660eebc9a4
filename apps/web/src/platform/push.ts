import type { AddDeviceRequest, Device, DeviceList } from '@symbolon/protocol';
import { settings } from '../text/settings.ts';
import { call } from './inner/api.ts';
import { serviceWorkers, siteWorker } from './inner/site-worker.ts';
import { keys, type Query } from './queries.ts';

/**
 * `unavailable`: the operator has not set it up; `unsupported`: not in this browser; `blocked`: the person forbade this site
 * notifications; `refused`: the browser made no subscription, as private windows do.
 */
export type PushState = 'on' | 'off' | 'unavailable' | 'unsupported' | 'blocked' | 'refused';

const DEVICES = '/api/person/devices';
/** The id under which the platform knows this browser. It belongs to one person. */
const STORED = 'symbolon-device';
/** The address that the platform knows: a push service may replace it. */
const TOLD = 'symbolon-device-address';
/** Whether this browser refused a subscription since the page was opened: a later look finds none, and no reason for it. */
let isRefused = false;

/** Both sides must have the subscription: the platform deletes what a push service no longer knows, and at a sign-out. */
async function pushState(): Promise<PushState> {
  const { push, devices } = await call<DeviceList>('GET', DEVICES);
  if (!push.enabled) return 'unavailable';
  if (serviceWorkers() === undefined || !('PushManager' in window)) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const subscription = await subscribed();
  const own = ownOf(devices);
  if (subscription === null || own === undefined) return isRefused ? 'refused' : 'off';
  // After a new sign-in of the same person it goes over to that session, and ends with it.
  if (!own.current || settings.read(TOLD) !== subscription.endpoint) await tell(subscription);
  return 'on';
}

/** A browser may be forbidden notifications at any time, outside of the pages. */
export const pushQuery: Query<PushState> = { key: keys.push, read: pushState, isFresh: true };

export async function subscribe(): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState();
  const { push } = await call<DeviceList>('GET', DEVICES);
  const registration = await navigator.serviceWorker.register('/service-worker.js');
  await navigator.serviceWorker.ready;
  // One that the platform does not know may be dead or of another key.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  let subscription: PushSubscription;
  try {
    subscription = await registration.pushManager.subscribe({
      // Browsers take pushes back from sites that show nothing.
      userVisibleOnly: true,
      applicationServerKey: push.application_server_key ?? null,
    });
    isRefused = false;
  } catch {
    isRefused = true;
    return 'refused';
  }
  await tell(subscription);
  return 'on';
}

export async function unsubscribe(): Promise<PushState> {
  const { devices } = await call<DeviceList>('GET', DEVICES);
  const own = ownOf(devices);
  if (own) await call('DELETE', `${DEVICES}/${encodeURIComponent(own.id)}`);
  await (await subscribed())?.unsubscribe();
  return pushState();
}

async function subscribed(): Promise<PushSubscription | null> {
  return (await (await siteWorker())?.pushManager.getSubscription()) ?? null;
}

function ownOf(devices: readonly Device[]): Device | undefined {
  const id = settings.read(STORED);
  // A session is that of one browser: its service worker may have sent another subscription to the platform.
  return devices.find((device) => device.id === id) ?? devices.find(({ current }) => current);
}

async function tell(subscription: PushSubscription): Promise<void> {
  const { id } = await call<Device>('POST', DEVICES, subscription.toJSON() as AddDeviceRequest);
  settings.keep(STORED, id);
  settings.keep(TOLD, subscription.endpoint);
}

/** The card is answered: its notification on this device goes. */
export function closeNotifications(): Promise<void> {
  return tellWorker('answered');
}

/**
 * Says that this window shows the approvals, so that a click on a notification leads to it.
 * @param look is called when that happens
 * @returns ends that
 */
export function showsApprovals(look: () => void): () => void {
  const end = Promise.withResolvers<void>();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) =>
    // A browser that refuses locks opens another window at a click.
    navigator.locks.request(`approvals ${data}`, () => end.promise).catch(() => undefined);
  void tellWorker('who', [port2]);
  const hear = ({ data }: MessageEvent) => data === 'look' && look();
  serviceWorkers()?.addEventListener('message', hear);
  return () => {
    end.resolve();
    serviceWorkers()?.removeEventListener('message', hear);
  };
}

async function tellWorker(message: string, ports: MessagePort[] = []): Promise<void> {
  (await siteWorker())?.active?.postMessage(message, ports);
}
