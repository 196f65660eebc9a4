import { settings } from '../../../apps/web/src/text/settings.ts';
import { offerFilter } from './filter.ts';
import { openSearch } from './search.ts';
import { offerTry } from './try.ts';

const root = document.documentElement;
const $ = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector);

// Theme
const theme = $<HTMLButtonElement>('button.theme');
const isDark = () =>
  (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
const showTheme = () => theme?.setAttribute('aria-pressed', String(isDark()));
theme?.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  settings.keep('symbolon-theme', root.dataset.theme);
  showTheme();
});
showTheme();

// The list of pages on a narrow screen
const menu = $<HTMLButtonElement>('button.menu');
menu?.addEventListener('click', () => {
  const isOpen = menu.getAttribute('aria-expanded') === 'true';
  menu.setAttribute('aria-expanded', String(!isOpen));
  $('nav.pages')?.classList.toggle('open', !isOpen);
});
$('nav.pages [aria-current]')?.scrollIntoView({ block: 'nearest' });

// Copying of code
for (const block of document.querySelectorAll<HTMLElement>('pre.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
  });
  const frame = document.createElement('div');
  frame.className = 'code-frame';
  block.replaceWith(frame);
  frame.append(block, button);
}

// Search
const search = () => openSearch(root.dataset.root ?? './');
$('button.search')?.addEventListener('click', search);
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
  const isKey = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.metaKey || event.ctrlKey));
  if (!isKey) return;
  event.preventDefault();
  search();
});

offerFilter();
if ('served' in root.dataset) offerTry();
