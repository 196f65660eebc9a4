import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { createAccountClient, createWebhook, sealed } from '@symbolon/testkit/actors/actors';
import { createApp } from '@symbolon/testkit/actors/consent';
import { issueContract } from '@symbolon/testkit/actors/contracts';
import { leasePdf } from '@symbolon/testkit/actors/files';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { checkPage } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import { LOOPBACK_PLUGINS } from '@symbolon/testkit/servers/plugin-server';
import type { Page } from 'playwright-core';
import { emptyFlow } from '../../apps/web/src/pages/portal/flow/edits.ts';

/** What a viewer may press: it changes what is shown, or the login's own. */
const HARMLESS = new Set([
  ...[
    'State',
    'Service',
    'Follow what is new',
    'Show',
    'Go to',
    'Search by name or code',
    'Kind',
    'Type',
    'Event',
    'Share code of a customer',
    'Missing answer',
    'Keep this view',
    'Link',
    'Code to type in',
    'Print a card',
    'Save what is shown as CSV',
    'Export',
    'From',
    'To',
  ],
  // The flow editor shows a flow that cannot be changed, and tries it.
  ...['Larger', 'Smaller', 'Show all steps', 'Step', 'Flow', 'Checks', 'Try'],
  // The key of a service is opened in the browser alone.
  ...['Choose the key file', 'Passphrase of the key', 'Show the password'],
  // Of the login's own.
  ...['End the session in node', 'End all others'],
]);

describe('who only views the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages(LOOPBACK_PLUGINS));

  /** An account in which there is one of everything. @returns the addresses of its pages */
  const stand = async () => {
    const { platform } = world();
    const { company, service, token: dataToken } = await openShop(platform);
    const { token } = company;
    const at = `/api/services/${service.id}`;
    const webhook = await createWebhook(platform, service, { url: 'https://hooks.example.com/in' });
    await createApp(platform, company);
    await createAccountClient(platform, company);
    const flow = await platform.must('POST', `${at}/flows`, {
      token,
      body: { definition: emptyFlow('Lease', 'Tenant', 'Start') },
    });
    const { person, connectionId } = await connectedPerson(platform, service);
    const body = { body: await sealed('x'), sender_body: await sealed('x') };
    await platform.must('POST', `/api/person/connections/${connectionId}/messages`, {
      token: person.token,
      body,
    });
    const contract = await issueContract(platform, {
      token: dataToken,
      target: { connection_id: connectionId },
      pdf: leasePdf(),
    });
    const viewer = await addDelegate(platform, company, 'viewer');
    const own = `/portal/services/${service.id}`;
    return {
      viewer,
      pages: [
        ...[
          '',
          '/services',
          '/customers',
          '/customers/asking',
          '/messages',
          '/documents',
          '/access',
          '/webhooks',
        ].map((path) => `/portal${path}`),
        ...['/apps', '/clients', '/plugins', '/profile', '/team', '/security', '/audit'].map(
          (path) => `/portal${path}`,
        ),
        ...[
          '',
          '/asks',
          '/code',
          '/logs',
          '/events',
          '/settings',
          '/flows',
          `/flows/${flow.id}`,
          `/flows/${flow.id}/runs`,
          `/flows/${flow.id}/runs?view=board`,
          `/flows/${flow.id}/versions`,
        ].map((path) => own + path),
        `${own}/customers/${connectionId}`,
        `${own}/webhooks/${webhook.id}`,
        `${own}/documents/${contract.id}`,
        `${own}/documents/remind`,
        `/portal/messages?with=${connectionId}`,
      ],
    };
  };

  /** Without what opens a row of a long list. */
  const offered = async (page: Page) => {
    const acts = page
      .getByRole('main')
      .locator(
        'button:visible:not([disabled]):not([role="grid"] *), a[href$="/new"]:visible, input:visible:not([disabled]):not([readonly]), select:visible:not([disabled])',
      );
    return acts.evaluateAll((found) =>
      found.map((each) => {
        const isField = each instanceof HTMLInputElement || each instanceof HTMLSelectElement;
        const label = isField ? each.labels?.[0]?.textContent : undefined;
        return (each.getAttribute('aria-label') || label || each.textContent || each.outerHTML)
          .replace('*', '')
          .trim();
      }),
    );
  };

  test('is offered nothing that would be refused, on any page', async (visit) => {
    const { viewer, pages } = await stand();
    const page = await visit();
    await portalAt(page, pages[0] ?? '', viewer);
    const found: string[] = [];
    for (const address of pages) {
      await page.goto(address);
      // Until it is known who is signed in, the page has a heading and offers nothing.
      await page.getByRole('navigation', { name: 'Pages of the portal' }).waitFor();
      await page.waitForLoadState('networkidle');
      await checkPage(page);
      for (const act of await offered(page))
        if (!HARMLESS.has(act)) found.push(`${address.replace(/[0-9a-f-]{36}/g, '…')}: ${act}`);
    }
    assert.deepEqual(found, []);
  });
});
