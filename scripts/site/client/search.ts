import type MiniSearch from 'minisearch';
import type { SearchResult } from 'minisearch';

const MOST = 24;

let loading: Promise<MiniSearch> | undefined;
let dialog: HTMLDialogElement | undefined;

/**
 * The field takes what is typed at once; what searches is loaded behind it.
 * @param root address of the site, relative to this page
 */
export function openSearch(root: string): void {
  dialog ??= makeDialog(root);
  dialog.showModal();
  dialog.querySelector('input')?.select();
}

function load(root: string): Promise<MiniSearch> {
  loading ??= Promise.all([
    import('./search-index.ts'),
    fetch(`${root}search.json`).then((answer) => answer.text()),
  ]).then(([{ searchIndex }, text]) => searchIndex(text));
  return loading;
}

function makeDialog(root: string): HTMLDialogElement {
  const made = document.createElement('dialog');
  made.className = 'search';
  made.setAttribute('aria-label', 'Search');
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = 'Search pages, operations, errors';
  input.setAttribute('aria-label', 'Search pages, operations, errors');
  const said = document.createElement('p');
  said.setAttribute('role', 'status');
  const list = document.createElement('ul');
  made.append(input, said, list);
  document.body.append(made);
  const show = async () => {
    const text = input.value.trim();
    const found = text === '' ? [] : (await load(root)).search(text);
    // Typed on meanwhile: what comes for that is shown.
    if (text !== input.value.trim()) return;
    said.textContent = text === '' ? '' : found.length === 0 ? 'Nothing found.' : `${found.length} found`;
    list.replaceChildren(...found.slice(0, MOST).map((each) => resultOf(each, root)));
  };
  input.addEventListener('input', () => void show());
  made.addEventListener('keydown', (event) => move(event, made));
  made.addEventListener('click', (event) => {
    if (event.target === made || event.target instanceof HTMLAnchorElement) made.close();
  });
  void load(root);
  return made;
}

function resultOf({ id, title, page, section }: SearchResult, root: string): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = root + id;
  const strong = document.createElement('strong');
  strong.textContent = title;
  const where = document.createElement('span');
  where.textContent = page === title ? section : `${section} · ${page}`;
  link.append(strong, where);
  item.append(link);
  return item;
}

/** Arrows go through what was found, Enter in the field opens the first. */
function move(event: KeyboardEvent, dialog: HTMLDialogElement): void {
  const links = [...dialog.querySelectorAll<HTMLAnchorElement>('li a')];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (event.key === 'Enter' && at === -1) {
    event.preventDefault();
    links[0]?.click();
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const next = links[at + step];
  if (next !== undefined) next.focus();
  else if (step === -1) dialog.querySelector('input')?.focus();
}
