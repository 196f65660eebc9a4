import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe } from 'node:test';
import { fingerprint, generateKeyPair, importPrivateKey } from '@symbolon/crypto';
import { PersonClient } from '@symbolon/sdk/person';
import {
  connect,
  createField,
  createService,
  PASSWORD,
  registerPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { createApp, parametersFor, type TestApp } from '@symbolon/testkit/actors/consent';
import { leasePdf } from '@symbolon/testkit/actors/files';
import { askAndLook, publishFlow, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { type TalkingService, talkingService } from '@symbolon/testkit/actors/talking-service';
import { openServiceKey, personAt, portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { listening } from '@symbolon/testkit/servers/listening';
import type { ProxiedCall } from '@symbolon/testkit/servers/lying-proxy';
import type { Page, Request } from 'playwright-core';
import { LIES, type LieName, readable, type Thief } from '../security/lying-platform/lies.ts';

const MARKER = 'only-for-the-chosen';
const LIED = ['owner', 'key', 'keyAlone'] as const;

/* What the pages send while the platform names other keys and other owners, after everything was done once while it was honest. */
describe('a platform that lies to a page', { skip }, () => {
  const { world, test } = browserTests();
  let shop: TalkingService;
  let flowId: string;
  /** Of the same company; it takes no connection without an answer. */
  let needing: TestService;
  const site = createServer((_request, response) => response.end('Welcome'));
  let app: TestApp;
  let thief: Thief;
  let key: CryptoKey;
  before(async () => {
    if (skip) return;
    const pair = await generateKeyPair();
    key = await importPrivateKey(pair.privateKey);
    thief = { publicKey: pair.publicKey, sha256: await fingerprint(pair.publicKey) };
    const rows = [{ slug: 'note', label: 'Note', type: 'text' }];
    shop = await talkingService(world().platform, { name: 'Lie Club', service: 'Repairs', rows });
    const needed = [{ slug: 'note', label: 'Note', type: 'text', mandatory_provide: true }];
    needing = await createService(world().platform, shop.company, needed, 'Rental');
    const { port } = await listening(site);
    const back = `http://localhost:${port}/cb`;
    world().allow(new URL(back).origin);
    app = await createApp(world().platform, shop.company, { redirect_uris: [back] });
    flowId = await publishFlow(world().platform, shop, askAndLook());
  });
  after(() => {
    site.close();
    return shop?.client.close();
  });

  /** A person with a field that the service has live. */
  const customer = async (page: Page, email: string) => {
    const person = await personAt(world(), page, '/me', email, 'Ada Berg');
    await createField(world().platform, person, {
      ...{ type: 'text', label: 'My note', slug: 'note', value: 'before' },
    });
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    const answers = { note: { field: 'note' } };
    const { connection_id: connectionId } = await device.connect(shop.company.code, shop.code, answers);
    return { person, connectionId };
  };

  interface Act {
    readonly address: string;
    /** Sends a text from the page at that address. */
    readonly send: (text: string) => Promise<unknown>;
    /** The path of the call that sends it. */
    readonly path: RegExp;
  }

  /** The act on a platform that is honest, that lies, and that is honest again, which shows that the act could have been done. */
  const tried = async (page: Page, lie: LieName, act: Act) => {
    const calls: ProxiedCall[] = [];
    const change = LIES[lie](thief);
    let isLying = false;
    await page.route('**/api/**', async (route) => {
      const request = route.request();
      const call = { method: request.method(), path: new URL(request.url()).pathname, body: bodyOf(request) };
      if (call.path.endsWith('/events')) return route.continue();
      if (call.method !== 'GET') calls.push(call);
      const response = await route.fetch();
      const json: unknown = await response.json().catch(() => undefined);
      const isChanged = isLying && typeof json === 'object';
      return route.fulfill({ response, ...(isChanged && { json: change(json, call) }) });
    });
    const go = async (text: string) => {
      calls.length = 0;
      await page.goto(act.address);
      await act.send(text);
    };
    const isSent = async () => {
      for (let tries = 0; tries < 200; tries++) {
        if (calls.some((call) => act.path.test(call.path))) return;
        await page.waitForTimeout(50);
      }
      assert.fail(`the page sends it: ${calls.map((call) => call.path)}`);
    };
    await go('before');
    await isSent();
    isLying = true;
    page.setDefaultTimeout(5_000);
    // A page to which other owners are named may show nothing to act on.
    await go(MARKER).catch(() => {});
    await page.waitForTimeout(1_000);
    assert.deepEqual(await readable(calls, key, MARKER), []);
    isLying = false;
    page.setDefaultTimeout(30_000);
    await go('after');
    await isSent();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  };

  for (const lie of [...LIED, 'delivery'] as const)
    test(`a claim that a site asks for, another ${lie}`, async (visit) => {
      const page = await visit();
      const person = await personAt(world(), page, '/me', `claim-${lie}@lies.example`, 'Ada Berg');
      await createField(world().platform, person, {
        ...{ type: 'email', label: 'Mail', slug: 'mail', value: `${MARKER}@lies.example` },
      });
      const claims = JSON.stringify([{ name: 'mail', type: 'email', label: 'Mail', required: true }]);
      let state = 0;
      await tried(page, lie, {
        get address() {
          return `/auth?${parametersFor(app, { mode: 'one_time', claims, state: `${lie}-${state++}` })}`;
        },
        path: /\/approve$/,
        send: () => page.getByRole('button', { name: /^Share 1/ }).click(),
      });
    });

  /** A person whose field answers what the service needs, and has the marker in it. */
  const newcomer = async (page: Page, email: string) => {
    const person = await personAt(world(), page, '/me', email, 'Ada Berg');
    await createField(world().platform, person, {
      ...{ type: 'text', label: 'My note', slug: 'note', value: MARKER },
    });
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    const leave = async () => {
      for (const { connection_id: id } of await device.connections()) await device.disconnect(id);
    };
    return { leave, share: () => page.getByRole('button', { name: 'Share 1 answer and connect' }).click() };
  };

  test('a link with the fingerprint of another key shares nothing, and one with its own does', async (visit) => {
    const page = await visit();
    const { share } = await newcomer(page, 'link@lies.example');
    const way = `/connect/${shop.company.code}/${needing.code}`;
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && /\/connections$/.test(request.url())) sent.push(request.url());
    });
    await page.goto(`${way}#k=${'0'.repeat(32)}`);
    await share();
    await page.getByText('Nothing was sent: the link has the fingerprint of another key').waitFor();
    assert.deepEqual(sent, []);
    await page.goto('/me');
    await page.goto(`${way}#k=${(await fingerprint(needing.publicKey)).slice(0, 32)}`);
    await share();
    await page.getByRole('heading', { name: /^You are connected with/ }).waitFor();
    assert.equal(sent.length, 1);
  });

  for (const lie of LIED) {
    test(`a connection by a code, another ${lie}`, async (visit) => {
      const page = await visit();
      const { leave, share } = await newcomer(page, `connect-${lie}@lies.example`);
      const address = `/me/connect?code=${shop.company.code}/${needing.code}`;
      await tried(page, lie, {
        address: '/me',
        path: /\/api\/person\/connections$/,
        send: async () => {
          await leave();
          await page.goto(address);
          await share();
        },
      });
    });

    test(`a message of a person, another ${lie}`, async (visit) => {
      const page = await visit();
      const { connectionId } = await customer(page, `message-${lie}@lies.example`);
      await tried(page, lie, {
        address: `/me/messages/${connectionId}`,
        path: /\/messages$/,
        send: async (text) => {
          await page.getByRole('textbox', { name: /^Your message to/ }).fill(text);
          await page.getByRole('button', { name: /^Send to/ }).click();
        },
      });
    });

    test(`a value that a service has live, another ${lie}`, async (visit) => {
      const page = await visit();
      await customer(page, `value-${lie}@lies.example`);
      await tried(page, lie, {
        address: '/me/fields',
        path: /\/fields\//,
        send: async (text) => {
          await page.getByRole('button', { name: /My note/ }).click();
          const card = page.getByRole('dialog', { name: 'My note' });
          await card.getByRole('button', { name: 'Change My note' }).click();
          await card.getByRole('textbox').fill(text);
          await card.getByRole('textbox').press('Enter');
        },
      });
    });

    test(`the answers of a step, another ${lie}`, async (visit) => {
      const page = await visit();
      const { connectionId } = await customer(page, `step-${lie}@lies.example`);
      const runs: string[] = [];
      for (let run = 0; run < 3; run++)
        runs.push((await shop.client.flows.start(flowId, { connectionId })).id);
      let at = 0;
      await tried(page, lie, {
        get address() {
          return `/me/flows/${runs[at++]}`;
        },
        path: /\/answers$/,
        send: async (text) => {
          await page.getByLabel('Colour', { exact: true }).fill(text);
          await page.getByRole('button', { name: /^Send 1/ }).click();
        },
      });
    });

    test(`the answers of a company, another ${lie}`, async (visit) => {
      const page = await visit();
      const { person, connectionId } = await customer(await visit(), `decided-${lie}@lies.example`);
      const { platform } = world();
      const runs: string[] = [];
      for (let at = 0; at < 3; at++) {
        const run = await shop.client.flows.start(flowId, { connectionId });
        await platform.must('POST', `/api/person/flow-runs/${run.id}/answers`, {
          token: person.token,
          body: await submitOf(run, { colour: 'red' }, to('look', 'owner')),
        });
        runs.push(run.id);
      }
      let at = 0;
      await portalAt(page, '/portal', shop.company);
      await tried(page, lie, {
        get address() {
          return `/portal/services/${shop.id}/flows/${flowId}/runs/${runs[at++]}`;
        },
        path: /\/answers$/,
        send: async (text) => {
          await openServiceKey(page);
          await page.getByLabel('Verdict').fill(text);
          await page.getByRole('button', { name: /^Send 1/ }).click();
        },
      });
    });

    test(`a message of a company, another ${lie}`, async (visit) => {
      const page = await visit();
      const { person, connectionId } = await customer(await visit(), `asked-${lie}@lies.example`);
      const device = await PersonClient.login({
        ...{ baseUrl: world().url, email: person.email, password: PASSWORD },
      });
      await device.messages.send(connectionId, 'Is my bike ready?');
      await portalAt(page, '/portal', shop.company);
      await tried(page, lie, {
        address: `/portal/services/${shop.id}/customers/${connectionId}`,
        path: /\/messages$/,
        send: async (text) => {
          await openServiceKey(page);
          await page.getByRole('textbox', { name: /^Your message to/ }).fill(text);
          await page.getByRole('button', { name: /^Send to/ }).click();
        },
      });
    });

    test(`a document of a company, another ${lie}`, async (visit) => {
      const page = await visit();
      const name = `Ben ${lie}`;
      const ben = await registerPerson(world().platform, name);
      await connect(world().platform, ben, shop);
      await portalAt(page, '/portal', shop.company);
      await tried(page, lie, {
        address: `/portal/services/${shop.id}/documents/new`,
        path: /\/documents$/,
        send: async () => {
          const [chooser] = await Promise.all([
            page.waitForEvent('filechooser'),
            page.getByRole('button', { name: 'Choose the PDF' }).click(),
          ]);
          await chooser.setFiles({ name: 'paper.pdf', mimeType: 'application/pdf', buffer: leasePdf() });
          await page.getByLabel(name).check();
          await page.getByRole('button', { name: 'Send (1)' }).click();
        },
      });
    });

    test(`the copy of a passphrase for the recovery key, another ${lie}`, async (visit) => {
      const page = await visit();
      const { company } = shop;
      await portalAt(page, '/portal', company);
      await tried(page, lie, {
        address: '/portal/services/new',
        path: /\/services$/,
        send: async (text) => {
          await page.getByLabel('Name', { exact: true }).fill(text === MARKER ? 'Lied to' : text);
          await page.getByRole('button', { name: 'Make the keys' }).click();
          const copy = page.getByRole('checkbox', { name: 'Keep a copy for the recovery key' });
          await copy.waitFor();
          // The first time its words are compared; a key that this browser knows is ticked by itself.
          if (text === 'before') await copy.check();
          for (const file of await page.getByRole('button', { name: 'Save file' }).all())
            await Promise.all([page.waitForEvent('download'), file.click()]);
          await page.getByRole('button', { name: 'Create the service' }).click();
        },
      });
    });
  }
});

function bodyOf(request: Request): unknown {
  try {
    return request.postDataJSON();
  } catch {
    return request.postData();
  }
}
