import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe } from 'node:test';
import { personAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { listening } from '@symbolon/testkit/servers/listening';

/** Another site, with one page. */
async function withSite(html: string, act: (url: string, port: number) => Promise<void>): Promise<void> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(html);
  });
  const { port } = await listening(server);
  // Another host than that of the pages, so that no cookie of theirs goes along by mistake.
  await act(`http://127.0.0.1:${port}/`, port).finally(() => server.close());
}

describe('pages against other sites', { skip }, () => {
  const { world, test } = browserTests();

  test('another site cannot put the pages into a frame', async (visit) => {
    const pages = ['/auth?client_id=x', '/sign-in', '/me/approvals'];
    const frames = pages.map((path) => `<iframe src="${world().url}${path}"></iframe>`).join('');
    await withSite(frames, async (url) => {
      const page = await visit();
      const refused: string[] = [];
      page.on('console', (message) => {
        if (/frame-ancestors|X-Frame-Options/.test(message.text())) refused.push(message.text());
      });
      await page.goto(url, { waitUntil: 'load' });
      for (const frame of page.frames().slice(1)) {
        const text = await frame.evaluate(() => document.body?.innerText ?? '').catch(() => '');
        assert.doesNotMatch(text, /Symbolon|Sign in/);
        assert.equal(frame.url(), 'chrome-error://chromewebdata/');
      }
      // The browser tells of a refusal apart from the loading of the page.
      await eventually('every frame is refused', () => refused.length >= pages.length || undefined, 20);
      assert.equal(refused.length, pages.length);
      world().problems();
    });
  });

  // The cookie stays away from the first one. The second has the host of the pages, so that it goes along.
  for (const host of ['127.0.0.1', 'localhost']) {
    test(`CSRF: ${host} at another port can write nothing with the person's cookie, by form or by fetch`, async (visit) => {
      const page = await visit();
      await personAt(world(), page, '/me/security', `csrf-${host}@example.org`);
      await page.getByRole('heading', { name: 'Security' }).waitFor();
      const state = async () => {
        const read = async (path: string) => (await page.request.get(path)).json();
        const paths = ['/api/person/sessions', '/api/person/fields', '/api/person/devices'];
        const lists = await Promise.all(paths.map(read));
        return lists.map(({ items, fields, devices }) =>
          (items ?? fields ?? devices).map(({ id }: { id: string }) => id),
        );
      };
      const before = await state();
      // JSON that a form can send: name and value around the equals sign.
      const forms = [
        ['/api/person/sign-out', 'a', 'b'],
        ['/api/person/fields', '{"type":"text","slug":"x","label":"', '"}'],
        ['/api/person/devices', '{"endpoint":"', '"}'],
      ]
        .map(
          ([path, name, value]) =>
            `<form method="post" enctype="text/plain" target="_self" action="${world().url}${path}"><input name='${name}' value='${value}'></form>`,
        )
        .join('');
      await withSite(forms, async (_url, port) => {
        const site = `http://${host}:${port}/`;
        world().allow(new URL(site).origin);
        for (let index = 0; index < 3; index++) {
          await page.goto(site);
          // Submitted once the call is back: the navigation would take the page away under it.
          const [answer] = await Promise.all([
            page.waitForNavigation(),
            page.evaluate((at) => void setTimeout(() => document.forms[at]?.submit()), index),
          ]);
          assert.ok((answer?.status() ?? 0) >= 400, answer?.url());
          assert.deepEqual(await state(), before);
        }
        await page.goto(site);
        const tried = await page.evaluate(async (base) => {
          const outcome = (init: RequestInit, path = '/api/person/sessions') =>
            fetch(`${base}${path}`, { credentials: 'include', ...init }).then(
              ({ type }) => type as string,
              () => 'refused by the browser',
            );
          const body = '{}';
          return [
            await outcome({ method: 'DELETE' }),
            await outcome({ method: 'POST', headers: { 'x-csrf-token': 'x' }, body }, '/api/person/sign-out'),
            await outcome({ method: 'POST', mode: 'no-cors', body }, '/api/person/sign-out'),
            await outcome({}, '/api/person/session'),
          ];
        }, world().url);
        const refused = 'refused by the browser';
        assert.deepEqual(tried, [refused, refused, 'opaque', refused]);
        assert.deepEqual(await state(), before);
      });
      world().problems();
    });
  }

  test('an injected script or style is not run', async (visit) => {
    const page = await visit();
    await page.goto('/sign-in?next="><script>window.injected=1</script>');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const injected = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.injected = 1';
      document.body.append(script);
      const image = document.createElement('div');
      image.innerHTML =
        '<img src="/icon.svg" onload="window.injected = 1"><a href="javascript:window.injected=1">x</a>';
      document.body.append(image);
      await new Promise((resolve) => image.querySelector('img')?.addEventListener('load', resolve));
      image.querySelector('a')?.click();
      const style = document.createElement('style');
      style.textContent = 'body { outline: 7px solid red }';
      document.head.append(style);
      const { injected } = window as unknown as { injected?: number };
      return { injected, outline: getComputedStyle(document.body).outlineWidth };
    });
    assert.equal(injected.injected, undefined);
    assert.notEqual(injected.outline, '7px');
    const blocked = world().problems();
    assert.ok(
      blocked.length >= 4 && blocked.every((line) => line.includes('Content Security Policy')),
      blocked.join('\n'),
    );
  });

  test('a script that was altered on its way is not run', async (visit) => {
    const page = await visit();
    await page.route('**/assets/sign-in-*.js', async (route) => {
      const response = await route.fetch();
      const body = `${await response.text()}\nwindow.altered = 1;`;
      const headers = { ...response.headers() };
      delete headers['content-encoding'];
      await route.fulfill({ response, headers, body });
    });
    await page.goto('/sign-in');
    await page.getByText('could not be loaded').waitFor();
    assert.equal(await page.evaluate(() => (window as unknown as { altered?: number }).altered), undefined);
    const problems = world().problems();
    assert.ok(
      problems.some((line) => /integrity/i.test(line)),
      problems.join('\n'),
    );
  });

  test('a page load at an address of numbers goes to the name under which browsers give keys', async (visit) => {
    const page = await visit();
    await page.goto(`${world().platform.url}/sign-in?next=%2Fme%2Fsecurity`);
    await page.waitForURL(`${world().url}/sign-in?next=%2Fme%2Fsecurity`);
    world().problems();
  });
});
