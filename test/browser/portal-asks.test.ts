import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { RequestField } from '@symbolon/protocol';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { checkPage } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import { LOOPBACK_PLUGINS, TestPlugin } from '@symbolon/testkit/servers/plugin-server';
import type { Page } from 'playwright-core';

describe('what a service asks, edited by two of its staff', { skip }, () => {
  const { world, test } = browserTests(() => servePages(LOOPBACK_PLUGINS));

  /** A service with three questions, open for edits of two logins. */
  const stand = async (one: Page, other: Page) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Harbour Bikes');
    const rows = ['Size', 'Colour', 'Brand'].map((label) => ({
      slug: label.toLowerCase(),
      label,
      type: 'text',
    }));
    const { id } = await createService(platform, company, rows, 'Repairs');
    const address = `/portal/services/${id}/asks`;
    await portalAt(one, address, company);
    await portalAt(other, address, await addDelegate(platform, company, 'developer'));
    return async () => {
      const path = `/api/services/${id}/request-fields`;
      const { request_fields: asked } = await platform.must('GET', path, { token: company.token });
      return asked.map(({ label }: { label: string }) => label);
    };
  };
  const edit = (page: Page, label: string) =>
    page.getByRole('button', { name: `Edit ${label}`, exact: true }).click();
  const rename = async (page: Page, label: string, text: string) => {
    await edit(page, label);
    await page.getByRole('textbox', { name: 'Question' }).fill(text);
    await page.getByRole('button', { name: 'Done' }).click();
  };
  const remove = async (page: Page, label: string) => {
    await edit(page, label);
    await page.getByRole('button', { name: 'Remove the question' }).click();
  };
  const publish = (page: Page) => page.getByRole('button', { name: /^Publish version/ }).click();

  test('the second sees both versions of what both changed, and chooses for each', async (visit) => {
    const [one, other] = [await visit(), await visit()];
    const asked = await stand(one, other);
    await rename(one, 'Size', 'Size of the frame');
    await rename(one, 'Colour', 'Colour you like');
    await remove(one, 'Brand');
    await rename(other, 'Size', 'Your size');
    await rename(other, 'Colour', 'Your colour');
    await rename(other, 'Brand', 'Your brand');
    await publish(one);
    await one.getByText(/^Version \d+ is published\.$/).waitFor();
    await publish(other);
    const conflict = other.getByRole('alert').filter({ hasText: 'published by another login' });
    await conflict.getByText('Size of the frame, Colour you like, Brand').waitFor();
    // It waits for who comes back.
    await other.reload();
    await conflict.waitFor();
    await checkPage(other);
    await conflict.getByRole('button', { name: 'Put my changes onto it' }).click();
    const sheet = other.getByRole('dialog', { name: 'Questions that you both changed' });
    const size = sheet.getByRole('row').filter({ hasText: 'Your size' });
    assert.match(
      (await size.getByRole('cell').allInnerTexts()).join('|'),
      /^Size\s[^|]*\|Size of the frame\s[^|]*\|Your size\s/,
    );
    const side = (question: string, name: 'Theirs' | 'Yours') =>
      sheet.getByRole('radiogroup', { name: `What holds of ${question}` }).getByRole('radio', { name });
    assert.equal(await side('Your size', 'Yours').isChecked(), true);
    assert.equal(await side('Your brand', 'Theirs').isChecked(), true);
    await sheet.getByRole('row').filter({ hasText: 'Your brand' }).getByText('removed').waitFor();
    await checkPage(other);
    await side('Your colour', 'Theirs').click();
    await side('Your brand', 'Yours').click();
    await sheet.getByRole('button', { name: 'Put my changes onto it' }).click();
    await sheet.waitFor({ state: 'detached' });
    await conflict.waitFor({ state: 'detached' });
    await other.getByText(/ is live · 2 changes are not published$/).waitFor();
    await publish(other);
    await other.getByText(/^Version \d+ is published\.$/).waitFor();
    assert.deepEqual(await asked(), ['Your size', 'Colour you like', 'Your brand']);
  });

  test('what only one of them changed goes onto the other without a question, on a phone in German', async (visit) => {
    const [one, other] = [await visit(), await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' })];
    const asked = await stand(one, other);
    const inGerman = async (label: string, text: string) => {
      await other.getByRole('button', { name: `${label} bearbeiten` }).click();
      await other.getByRole('textbox', { name: 'Frage', exact: true }).fill(text);
      await other.getByRole('button', { name: 'Fertig' }).click();
    };
    await inGerman('Colour', 'Your colour');
    await rename(one, 'Size', 'Size of the frame');
    await publish(one);
    await one.getByText(/^Version \d+ is published\.$/).waitFor();
    const conflict = other.getByRole('alert').filter({ hasText: 'Ein anderer Zugang' });
    const onto = conflict.getByRole('button', { name: 'Meine Änderungen darauf anwenden' });
    const publishHere = other.getByRole('button', { name: /veröffentlichen$/ });
    await publishHere.click();
    await onto.click();
    await conflict.waitFor({ state: 'detached' });
    await publishHere.click();
    await other.getByText(/^Version \d+ ist veröffentlicht\.$/).waitFor();
    assert.deepEqual(await asked(), ['Size of the frame', 'Your colour', 'Brand']);

    await one.reload();
    await inGerman('Brand', 'Marke');
    await rename(one, 'Brand', 'Maker');
    await publish(one);
    await one.getByText(/^Version \d+ is published\.$/).waitFor();
    await publishHere.click();
    await onto.click();
    await other.getByRole('radiogroup', { name: 'Was für Marke gilt' }).waitFor();
    await checkPage(other);
    await other.keyboard.press('Escape');
    await conflict.getByRole('button', { name: 'Änderungen verwerfen' }).click();
    await other.getByText(/ ist veröffentlicht · keine Änderungen$/).waitFor();
  });

  test('why a question is asked is written below it, seen as people see it, and part of what both changed', async (visit) => {
    const [one, other] = [await visit(), await visit()];
    await stand(one, other);
    const say = async (page: Page, reason: string) => {
      await edit(page, 'Size');
      const why = page.getByRole('textbox', { name: 'Why you ask' });
      await why.fill(reason);
      await checkPage(page);
      await page.getByRole('button', { name: 'Done' }).click();
    };
    await say(one, 'The frame is made for you');
    const preview = one.getByRole('complementary', { name: 'What people see' });
    for (const place of [one.getByRole('list', { name: 'What it asks' }), preview])
      await place.getByText('Why: The frame is made for you').waitFor();
    await checkPage(one);
    await publish(one);
    await one.getByText(/^Version \d+ is published\.$/).waitFor();
    await say(other, 'The saddle has to fit');
    await publish(other);
    await other.getByRole('button', { name: 'Put my changes onto it' }).click();
    const sheet = other.getByRole('dialog', { name: 'Questions that you both changed' });
    await sheet.getByText('Why: The frame is made for you').waitFor();
    await sheet.getByText('Why: The saddle has to fit').waitFor();
    await checkPage(other);
    await sheet.getByRole('button', { name: 'Put my changes onto it' }).click();
    await publish(other);
    await other.getByText(/^Version \d+ is published\.$/).waitFor();
    await say(other, '');
    await other.getByText('Why: The saddle has to fit').first().waitFor({ state: 'detached' });
  });

  test('a plugin answers one question, and the answer to another may not be verified too long ago', async (visit) => {
    const { platform } = world();
    await using plugin = await TestPlugin.start();
    const company = await registerCompany(platform, 'Harbour Streets');
    const { token } = company;
    const { pass } = await platform.must('POST', '/api/account/plugins', {
      ...{ token, body: { base_url: plugin.base } },
    });
    await platform.must('POST', '/forwarder/registry', { body: { pass } });
    const { id } = await createService(platform, company, [], 'Deliveries');
    const page = await visit();
    await portalAt(page, `/portal/services/${id}/asks`, company);

    await page.getByRole('button', { name: 'Add a question' }).click();
    const offered = page.getByRole('region', { name: 'Answered by a plugin' });
    await checkPage(page);
    await offered.getByRole('button').first().click();
    const ofPlugin = page.getByRole('dialog', { name: /\(Streets\)$/ });
    await ofPlugin.getByText('You get what came of it, once.').waitFor();
    assert.ok(await ofPlugin.getByRole('radio', { name: 'Required as long as connected' }).isDisabled());
    await ofPlugin.getByRole('radio', { name: 'Required to connect' }).click();
    await checkPage(page);
    await ofPlugin.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Add a question' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Email/ })
      .click();
    const sheet = page.getByRole('dialog', { name: 'Email' });
    await sheet.getByRole('radio', { name: 'Required as long as connected' }).click();
    await sheet.getByRole('switch', { name: 'Verified values only' }).click();
    const age = sheet.getByLabel('Verified within the last days');
    await age.fill('40000');
    assert.equal(await age.getAttribute('aria-invalid'), 'true');
    await age.fill('90');
    await checkPage(page);
    await sheet.getByRole('radio', { name: 'Once: you get a copy' }).click();
    assert.ok(await sheet.getByRole('radio', { name: 'Required to connect' }).isChecked());
    await sheet.getByRole('button', { name: 'Done' }).click();
    await page.getByText('verified within 90 days').waitFor();
    await publish(page);
    await page.getByText(/^Version \d+ is published\.$/).waitFor();
    const { request_fields: asked } = await platform.must('GET', `/api/services/${id}/request-fields`, {
      token,
    });
    assert.deepEqual(
      asked.map((row: RequestField) => [
        ...[row.type, row.plugin?.field_type, row.one_time, row.mandatory_provide, row.audience],
        ...[row.verified, row.verified_max_age_days],
      ]),
      [
        ['plugin', 'street', true, true, 'person', false, null],
        ['email', undefined, true, true, 'both', true, 90],
      ],
    );
  });
});
