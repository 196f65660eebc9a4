/** Takes the pictures of the README from the demo: the end of what it prints, a person's page and the portal. `node scripts/readme-pictures.ts` */
import { join } from 'node:path';
import { browser } from '@symbolon/testkit/browser/chromium';
import { typeSignIn } from '@symbolon/testkit/browser/people';
import { RunningCommand } from '@symbolon/testkit/cli/command';
import { temporaryFolder } from '@symbolon/testkit/folder';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { noArguments } from './usage.ts';

noArguments('node scripts/readme-pictures.ts');

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it
const COLOUR = /\u001b\[(\d+)m/g;
const PICTURES = join(import.meta.dirname, '../docs/pictures');
/** The chapter that is shown, as far as the values of its first person go. */
const SHOWN = { from: 'Typed → stored → decrypted', to: 'Jonas' };

using folder = temporaryFolder();
const demo = new RunningCommand(['demo', '--keep', '--port', '0', '--data', folder.file('demo')], {
  env: { FORCE_COLOR: '1', COLUMNS: '110' },
});
const chromium = await browser();
try {
  const printed = (await demo.line(/^[\s\S]*runs until Ctrl-C/)).input;
  const plain = printed.replaceAll(COLOUR, '');
  const fact = (name: string) => new RegExp(`^ +${name} +(\\S+) +(\\S+)$`, 'm').exec(plain)?.slice(1) ?? [];
  const [, pages = ''] = /^ +Portal +(http\S+)\/portal$/m.exec(plain) ?? [];
  await takeStory(chromium, printed);
  await takePage(chromium, 'demo-person.png', { width: 390, height: 720 }, async (page) => {
    const [email = '', password = ''] = fact('Jonas');
    await page.goto(`${pages}/sign-in`);
    await typeSignIn(page, email, password);
    await page.getByText('asks for your answers').waitFor();
  });
  await takePage(chromium, 'demo-portal.png', { width: 1100, height: 720 }, async (page) => {
    const [email = '', password = ''] = fact('Portal');
    await page.goto(`${pages}/portal/sign-in`);
    await typeSignIn(page, email, password);
    await page.getByText('Look at the webhook').waitFor();
  });
} finally {
  await chromium.close();
  await demo.end('SIGINT');
}

async function takePage(
  of: Browser,
  name: string,
  viewport: { width: number; height: number },
  open: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await of.newContext({ viewport, locale: 'en', timezoneId: 'UTC', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await open(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.mouse.move(0, 0);
  await keep(name, await page.screenshot({ animations: 'disabled' }));
  await context.close();
}

/** A part of the story, in the colours of a terminal. */
async function takeStory(of: Browser, printed: string): Promise<void> {
  const begins = printed.indexOf(SHOWN.from);
  const lineAt = (index: number) => printed.lastIndexOf('\n', index) + 1;
  const text = printed.slice(lineAt(begins), lineAt(printed.indexOf(SHOWN.to, begins))).trimEnd();
  const context = await of.newContext({ viewport: { width: 1000, height: 400 } });
  const page = await context.newPage();
  await page.setContent(`<pre>${htmlOf(text)}</pre><style>
    body { margin: 0; background: #10161d } pre { margin: 0; padding: 16px 20px; display: inline-block; color: #d7dde4;
    font: 13px/1.45 'DejaVu Sans Mono', monospace } .s1 { font-weight: bold } .s2 { color: #8793a0 } .s31 { color: #ff8b7b }
    .s32 { color: #7bd88f } .s35 { color: #d39bf0 } .s36 { color: #6ecbe0 }</style>`);
  await keep('demo.png', await page.locator('pre').screenshot());
  await context.close();
}

/** In few colours: a reader of the README waits for it. */
async function keep(name: string, picture: Buffer): Promise<void> {
  await sharp(picture).png({ palette: true, colours: 64, effort: 10 }).toFile(join(PICTURES, name));
}

function htmlOf(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return escaped.replaceAll(COLOUR, (_all, code: string) =>
    ['22', '39', '0'].includes(code) ? '</span>' : `<span class="s${code}">`,
  );
}
