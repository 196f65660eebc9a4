import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../../../..');
/** Pictures of the docs, and of everything. They are taken only when they are asked for: fonts differ from machine to machine. */
const DOCS = join(ROOT, 'docs/pictures');
const ALL = join(ROOT, 'reports/pictures');

/** Which pictures a run takes; none without it. */
export const PICTURES_VARIABLE = 'SYMBOLON_PICTURES';
const asked = process.env[PICTURES_VARIABLE];

/** Takes a picture for the docs. */
export async function picture(page: Page, name: string): Promise<void> {
  if (asked === 'docs') await take(page, DOCS, name);
}

let taken = 0;

/** Takes a picture of a page as it is now, in light and in dark, to be looked at. */
export async function pictureOfAll(page: Page): Promise<void> {
  if (asked !== 'all') return;
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  taken++;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await take(page, ALL, nameOf(page, colorScheme));
  }
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
}

/** As `portal-logs.012.portal-services-logs.desk.dark`: the tests, which look of theirs, the place, and how it is shown. */
function nameOf(page: Page, scheme: string): string {
  const tests = basename(process.argv[1] ?? '').replace(/\.test\.ts$/, '');
  const words = new URL(page.url()).pathname.split('/').filter((part) => /^[a-z-]+$/.test(part));
  const width = (page.viewportSize()?.width ?? 0) < 600 ? 'phone' : 'desk';
  return [tests, String(taken).padStart(3, '0'), words.join('-') || 'start', width, scheme].join('.');
}

async function take(page: Page, folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  // What was clicked last looks different under the mouse.
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', fullPage: true });
}
