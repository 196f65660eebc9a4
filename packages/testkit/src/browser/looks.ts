import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import type { Download, Locator, Page } from 'playwright-core';
import { eventually } from '../platform/eventually.ts';
import { pictureOfAll } from './pictures.ts';

export { picture } from './pictures.ts';

let axe: string | undefined;
const axeSource = () =>
  (axe ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));

/** Checks a page once it has its heading: what axe finds by WCAG 2.2 AA, that nothing is wider than the window, and no text cut. */
export async function checkPage(page: Page): Promise<void> {
  // A page that was just opened is empty until its script has run.
  await page.waitForFunction(() => document.querySelector('main') && document.querySelector('h1'));
  // As the tools of a browser do, which the page's policy does not bind. Reading it takes longer than the check.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource());
  const { violations, overflow, cut } = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(node: unknown, options: object): Promise<AxeResults> };
    };
    // Bars that stand still cover a part of whatever was scrolled beneath them, and its size would be the size of the rest.
    scrollTo(0, 0);
    const standing = [...document.querySelectorAll<HTMLElement>('main *')].filter((element) => {
      const { position, bottom } = getComputedStyle(element);
      return position === 'sticky' && bottom !== 'auto';
    });
    for (const { style } of standing) {
      style.position = 'relative';
      style.bottom = 'auto';
    }
    const runOnly = {
      type: 'tag',
      values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    };
    const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] });
    for (const { style } of standing) {
      style.position = '';
      style.bottom = '';
    }
    return {
      violations: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      cut: [...document.querySelectorAll('button span')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1 && clientWidth > 0)
        .map(({ textContent }) => textContent)
        // What turns while a button waits has none.
        .filter((text) => text !== ''),
    };
  });
  assert.deepEqual(violations, [], page.url());
  assert.ok(overflow <= 0, `${page.url()} is ${overflow} pixels too wide`);
  assert.deepEqual(cut, [], `${page.url()} has texts that are cut`);
  await pictureOfAll(page);
}

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** Waits until a field holds a text: what was begun is read, and opened, after the field is shown. */
export async function holds(field: Locator, text: string): Promise<void> {
  let now = '';
  const told = () => `the field holds ${JSON.stringify(text)}, and not ${JSON.stringify(now)}`;
  await eventually(
    told,
    async () => {
      now = await field.inputValue();
      return now === text || undefined;
    },
    20,
  );
}

/** Pixels of a picture on a page from left to right. It is there before it is drawn. */
export const widthOf = (picture: Locator): Promise<number> =>
  picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.naturalWidth;
  });

/** A picture of some size, drawn in the browser. */
export async function drawnPhoto(page: Page): Promise<Buffer> {
  const address = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [800, 600];
    const context = canvas.getContext('2d');
    for (let x = 0; context && x < 800; x += 20) {
      context.fillStyle = `hsl(${x / 4} 60% 55%)`;
      context.fillRect(x, 0, 20, 600);
    }
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
}

/** Waits until something stands on the page of a file. */
export const isDrawn = (page: Page, name: string) =>
  page.waitForFunction((label) => {
    const canvas = document.querySelector<HTMLCanvasElement>(`[aria-label="${label}"] canvas`);
    if (canvas === null || canvas.width === 0) return false;
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
    const dark = data?.filter((value, index) => index % 4 === 0 && value < 128 && data[index + 3] === 255);
    return (dark?.length ?? 0) > 50;
  }, name);

/** What a page let the person download. */
export const bytesOf = async (download: Download) => buffer(await download.createReadStream());
