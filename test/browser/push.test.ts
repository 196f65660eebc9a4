import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import {
  type AskingService,
  asked,
  createAskingService,
  enrol,
} from '@symbolon/testkit/actors/second-factor';
import { checkPage } from '@symbolon/testkit/browser/looks';
import { personAt, registerAt, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip, type Visit } from '@symbolon/testkit/browser/world';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { PushService, type TestBrowser } from '@symbolon/testkit/servers/push-service';
import type { CDPSession, Page, Worker } from 'playwright-core';

const CONTEXT = 'Sign-in from Berlin, Firefox on Linux';

/**
 * Chromium has no push service in tests: the page gets subscriptions of ours, which the platform sends to, and the message
 * goes into the real service worker by the DevTools protocol.
 */
async function withSubscriptions(page: Page, push: PushService): Promise<() => TestBrowser> {
  let last: TestBrowser | undefined;
  await page.exposeFunction('newSubscription', () => {
    last = push.newBrowser();
    return last.subscription;
  });
  await page.addInitScript(() => {
    type Made = { endpoint: string };
    const { newSubscription } = globalThis as unknown as { newSubscription: () => Promise<Made> };
    const KEPT = 'test-subscription';
    const subscription = (made: Made) => ({
      ...made,
      toJSON: () => made,
      unsubscribe: async () => {
        localStorage.removeItem(KEPT);
        return true;
      },
    });
    Object.assign(PushManager.prototype, {
      async subscribe() {
        const made = await newSubscription();
        localStorage.setItem(KEPT, JSON.stringify(made));
        return subscription(made);
      },
      async getSubscription() {
        const kept = localStorage.getItem(KEPT);
        return kept === null ? null : subscription(JSON.parse(kept));
      },
    });
  });
  return () => last ?? assert.fail('The page did not subscribe.');
}

interface Registration {
  readonly origin: string;
  readonly registrationId: string;
}

/** What the functions that run in the worker use of it: its types are not those of a page. */
interface WorkerScope extends EventTarget {
  /** What was shown. */
  calls: object[];
  /** How often the icon of the app was marked. */
  marks: number;
  readonly navigator: { setAppBadge: () => Promise<void> };
  readonly registration: ServiceWorkerRegistration;
  readonly Clients: {
    prototype: { openWindow: (url: string) => Promise<void>; matchAll: () => Promise<object[]> };
  };
  readonly ExtendableEvent: new (type: string) => Event & { waitUntil(work: Promise<unknown>): void };
  readonly WindowClient: { prototype: { focus: () => Promise<void> } };
  readonly NotificationEvent: new (
    type: string,
    about: { notification: Notification },
  ) => Event & { waitUntil(work: Promise<unknown>): void };
}

/** The service worker of a page, into which messages are pushed. */
class PushedWorker {
  readonly worker: Worker;
  readonly #session: CDPSession;
  readonly #ids: Registration;

  private constructor(worker: Worker, session: CDPSession, ids: Registration) {
    this.worker = worker;
    this.#session = session;
    this.#ids = ids;
  }

  static async of(page: Page): Promise<PushedWorker> {
    const context = page.context();
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    const session = await context.newCDPSession(page);
    const { origin } = new URL(page.url());
    const registered = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const found = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
        if (found !== undefined) resolve(found.registrationId);
      });
    });
    await session.send('ServiceWorker.enable');
    return new PushedWorker(worker, session, { origin, registrationId: await registered });
  }

  async deliver(data: string): Promise<void> {
    await this.#session.send('ServiceWorker.deliverPushMessage', { ...this.#ids, data });
  }

  /** Notes what is shown from now on: notifications with one tag replace each other. */
  async watch(): Promise<void> {
    await this.worker.evaluate(() => {
      const scope = globalThis as unknown as WorkerScope;
      const { registration } = scope;
      const show = registration.showNotification.bind(registration);
      scope.calls = [];
      scope.marks = 0;
      scope.navigator.setAppBadge = async () => void scope.marks++;
      registration.showNotification = async (title, options) => {
        await show(title, options);
        scope.calls.push({ title, ...options });
      };
    });
  }

  /** Waits until so many were shown since the watch began. */
  shown(many: number): Promise<object[]> {
    return eventually(`${many} notifications`, async () => {
      const calls = await this.worker.evaluate(() => (globalThis as unknown as WorkerScope).calls);
      return calls.length >= many ? calls : undefined;
    });
  }

  marks(): Promise<number> {
    return this.worker.evaluate(() => (globalThis as unknown as WorkerScope).marks);
  }

  /** From now on no window is open, as the worker sees it. */
  async seesNoWindow(): Promise<void> {
    await this.worker.evaluate(() => {
      (globalThis as unknown as WorkerScope).Clients.prototype.matchAll = async () => [];
    });
  }

  /** The push service has replaced the subscription, as the browser tells the worker. */
  async replace(subscription: object): Promise<void> {
    await this.worker.evaluate(async (newSubscription) => {
      const scope = globalThis as unknown as WorkerScope;
      const change = new scope.ExtendableEvent('pushsubscriptionchange');
      let work: Promise<unknown> | undefined;
      change.waitUntil = (promise) => {
        work = promise;
      };
      scope.dispatchEvent(Object.assign(change, { newSubscription }));
      await work;
    }, subscription);
  }

  /** How many stand there now. */
  standing(): Promise<number> {
    return this.worker.evaluate(async () => {
      const { registration } = globalThis as unknown as WorkerScope;
      return (await registration.getNotifications()).length;
    });
  }

  /**
   * Clicks the notification, as the browser tells the worker. Windows open and come to the front only for a real click, so
   * what the worker asks for is noted and not done.
   */
  click(): Promise<string[]> {
    return this.worker.evaluate(async () => {
      const scope = globalThis as unknown as WorkerScope;
      const asked: string[] = [];
      scope.Clients.prototype.openWindow = async (url: string) => void asked.push(`open ${url}`);
      scope.WindowClient.prototype.focus = async () => void asked.push('focus');
      const [notification] = await scope.registration.getNotifications();
      if (notification === undefined) return asked;
      notification.close = () => void asked.push('close');
      const click = new scope.NotificationEvent('notificationclick', { notification });
      let work: Promise<unknown> | undefined;
      click.waitUntil = (promise) => {
        work = promise;
      };
      scope.dispatchEvent(click);
      await work;
      return asked;
    });
  }
}

describe('notifications in the browser', { skip }, () => {
  let push: PushService;
  const serve = async () => {
    push = await PushService.start();
    return servePages(push.environment, { outgoing: push.outgoing });
  };
  const { world, test } = browserTests(serve, { whole: true });
  let service: AskingService;

  before(async () => {
    if (!skip) service = await createAskingService(world().platform);
  });
  after(() => push?.stop());

  /** A page that may show notifications. */
  const notified = async (visit: Visit): Promise<Page> => {
    const page = await visit();
    await page.context().grantPermissions(['notifications'], { origin: world().url });
    return page;
  };
  const onOff = (page: Page) => page.getByRole('switch', { name: 'Notify this device' });

  test('every push shows that someone asks and no more, and a click leads to the approvals', async (visit) => {
    const { platform } = world();
    const page = await notified(visit);
    await withSubscriptions(page, push);
    const person = await personAt(world(), page, '/me/approvals', 'pushed@example.org');
    await enrol(platform, person, service);
    await page.getByText('While this is off').waitFor();
    await onOff(page).click();
    await page.getByText('This device is told').waitFor();
    await checkPage(page);
    const worker = await PushedWorker.of(page);
    await page.goto('/me/security');

    await asked(platform, service, person, { context: CONTEXT });
    const [message] = await push.count(1);
    // Whatever a push carries, it shows the same: browsers take the right back from sites that are silent.
    const pushes = [message?.text ?? '', '', 'not JSON', '{"kind":"approval","body":"Click here"}'];
    await worker.watch();
    for (const [index, data] of pushes.entries()) {
      await worker.deliver(data);
      await worker.shown(index + 1);
    }
    const said = {
      title: 'Symbolon',
      body: 'A service asks for your approval.',
      tag: 'approval',
      // The next one is heard too.
      renotify: true,
      icon: '/icon-192.png',
    };
    assert.deepEqual(
      await worker.shown(pushes.length),
      pushes.map(() => said),
    );
    assert.equal(await worker.standing(), 1);
    // A page that is looked at counts at the icon of the app; where none is, the worker marks it.
    assert.equal(await worker.marks(), 0);
    await worker.seesNoWindow();
    await worker.deliver('');
    await eventually('the icon is marked', async () => (await worker.marks()) === 1 || undefined);

    // Every page of a person shows the card over what is open; what was put off comes back with the click.
    const card = page.getByRole('dialog', { name: /is this you/ });
    await card.getByRole('button', { name: 'Not now' }).click();
    await card.waitFor({ state: 'detached' });
    await eventually('the window is known to show the approvals', async () =>
      (await worker.click()).includes('focus') ? true : undefined,
    );
    await card.waitFor();
    await page.goto('/verify');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await eventually('the window is known to show something else', async () =>
      (await worker.click()).includes('open /me/approvals') ? true : undefined,
    );
    await page.goto('/me/approvals');
    await card.getByRole('button', { name: 'Approve' }).click();
    await card.getByLabel('Your password').fill(PASSWORD);
    await card.getByRole('button', { name: 'Approve' }).click();
    await card.getByText('Approved').waitFor();
    await eventually('the answer takes the notification away', async () =>
      (await worker.standing()) === 0 ? true : undefined,
    );
  });

  test('a subscription that is gone is shown as off, and switching it on makes a new one', async (visit) => {
    const { platform } = world();
    const page = await notified(visit);
    const last = await withSubscriptions(page, push);
    const person = await personAt(world(), page, '/me/approvals', 'gone@example.org');
    await enrol(platform, person, service);
    await onOff(page).click();
    await page.getByText('This device is told').waitFor();
    const { endpoint } = last();
    await page.reload();
    await page.getByText('This device is told').waitFor();

    push.react = () => ({ status: 410 });
    await asked(platform, service, person);
    await eventually('the platform has deleted the subscription', async () => {
      const { devices } = await (await page.request.get('/api/person/devices')).json();
      return devices.length === 0 || undefined;
    });
    push.react = () => ({ status: 201 });
    await page.reload();
    // What was asked meanwhile stands over the page.
    await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
    await page.getByText('While this is off').waitFor();
    assert.ok(!(await onOff(page).isChecked()));
    await onOff(page).click();
    await page.getByText('This device is told').waitFor();
    assert.notEqual(last().endpoint, endpoint);
    const received = push.received.length;
    await asked(platform, service, person);
    await push.count(received + 1);
    assert.equal(push.received.at(-1)?.browser, last());

    await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
    await onOff(page).click();
    await page.getByText('While this is off').waitFor();
    assert.deepEqual((await (await page.request.get('/api/person/devices')).json()).devices, []);
  });

  test('a subscription that is replaced is told to the platform, by the worker or by the next page', async (visit) => {
    const { platform } = world();
    const page = await notified(visit);
    await withSubscriptions(page, push);
    const person = await personAt(world(), page, '/me/approvals', 'replaced@example.org');
    await enrol(platform, person, service);
    await onOff(page).click();
    await page.getByText('This device is told').waitFor();
    const worker = await PushedWorker.of(page);
    const isTold = async (browser: TestBrowser) => {
      await asked(platform, service, person);
      await eventually(
        'the new subscription is sent to',
        async () => push.received.some((message) => message.browser === browser) || undefined,
      );
    };
    const second = push.newBrowser();
    await worker.replace(second.subscription);
    await isTold(second);

    const third = push.newBrowser();
    await page.evaluate(
      (made) => localStorage.setItem('test-subscription', JSON.stringify(made)),
      third.subscription,
    );
    await page.reload();
    await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
    await page.getByText('This device is told').waitFor();
    await isTold(third);
  });

  test('a browser that served another person before is off for the next one, and goes over to a new session', async (visit) => {
    const page = await notified(visit);
    await withSubscriptions(page, push);
    await personAt(world(), page, '/me/approvals', 'first@example.org');
    await onOff(page).click();
    await page.getByText('This device is told').waitFor();
    // The session has expired: the platform still knows this browser.
    await page.context().clearCookies();
    await page.goto('/sign-in?next=%2Fme%2Fapprovals');
    await typeSignIn(page, 'first@example.org');
    await page.getByText('This device is told').waitFor();
    const list = async () => (await (await page.request.get('/api/person/devices')).json()).devices;
    assert.deepEqual(
      (await list()).map(({ current }: { current: boolean }) => current),
      [true],
    );
    await page.context().clearCookies();
    await registerAt(page, '/register?next=%2Fme%2Fapprovals', 'second@example.org', 'Eve Berg');
    await page.getByText('While this is off').waitFor();
    assert.deepEqual(await list(), []);
  });

  test('a browser that makes no subscription, or forbids notifications, is recognised', async (visit) => {
    const page = await notified(visit);
    await personAt(world(), page, '/me/approvals', 'private@example.org');
    // Chromium has no push in private windows, which those of tests are.
    await onOff(page).click();
    await page.getByText('The browser did not set up notifications').waitFor();
    await checkPage(page);
    assert.deepEqual(
      await (await page.request.get('/api/person/devices')).json().then((list) => list.devices),
      [],
    );
    assert.ok(
      world()
        .problems()
        .every((line) => line.includes('incognito mode')),
    );
    await page.addInitScript(() => {
      Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
    });
    await page.reload();
    await page.getByText('You have blocked notifications').waitFor();
    assert.ok(await onOff(page).isDisabled());
  });
});
