import type { AddDeviceRequest, DeviceList } from '@symbolon/protocol';
import { call } from './api.ts';

/**
 * `unavailable`: the operator has not set it up; `unsupported`: not in this browser; `blocked`: the person forbade this site
 * notifications.
 */
export type PushState = 'on' | 'off' | 'unavailable' | 'unsupported' | 'blocked';

const DEVICES = '/api/person/devices';

export async function pushState(): Promise<PushState> {
  const { push } = await call<DeviceList>('GET', DEVICES);
  if (!push.enabled) return 'unavailable';
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ? 'on' : 'off';
}

export async function subscribe(): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState();
  const { push } = await call<DeviceList>('GET', DEVICES);
  const registration = await navigator.serviceWorker.register('/service-worker.js');
  await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({
    // Browsers take pushes back from sites that show nothing.
    userVisibleOnly: true,
    applicationServerKey: push.application_server_key ?? null,
  });
  await call('POST', DEVICES, subscription.toJSON() as AddDeviceRequest);
  return 'on';
}

export async function unsubscribe(): Promise<PushState> {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  const { devices } = await call<DeviceList>('GET', DEVICES);
  const own = devices.find(({ current }) => current);
  if (own) await call('DELETE', `${DEVICES}/${encodeURIComponent(own.id)}`);
  await subscription?.unsubscribe();
  return pushState();
}

/** The card is answered: its notification on this device goes. */
export async function closeNotifications(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration();
  registration?.active?.postMessage('answered');
}
