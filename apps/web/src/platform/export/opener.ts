import {
  type CryptoKey,
  decodeBase64,
  deriveLoginKeys,
  type EnvelopeFile,
  importPrivateKey,
  isWrapper,
  openText,
  parseFileEnvelope,
  unwrapPrivateKey,
} from '@symbolon/crypto';
import { unzipSync } from 'fflate';
import type { Exported, ExportedFile } from './format.ts';

/*
 * The script of `open.html` in an export. It stands in that page whole, loads nothing, and opens with the password
 * what the page carries.
 */

/** What the page says, in the language of the person who made the export. */
export type OpenerTexts = Readonly<
  Record<
    'title' | 'password' | 'open' | 'wrong' | 'forOthers' | 'files' | 'choose' | 'save' | 'missing',
    string
  >
>;

const read = <T>(id: string) => JSON.parse(document.getElementById(id)?.textContent ?? 'null') as T;
const data = read<Exported>('data');
const texts = read<OpenerTexts>('texts');

function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const main = document.querySelector('main') ?? document.body;
const said = made('p', { role: 'status' });
const password = made('input', { type: 'password', autocomplete: 'off', required: '' });
const form = made(
  'form',
  {},
  made('label', {}, texts.password, password),
  made('button', {}, texts.open),
  said,
);
main.append(
  made('h1', {}, texts.title),
  made('p', {}, `${data.person.display_name} · ${data.made_at}`),
  form,
);

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  said.textContent = '…';
  const key = await keyOf(password.value).catch(() => undefined);
  said.textContent = key === undefined ? texts.wrong : '';
  if (key === undefined) return;
  form.remove();
  await show(key);
});

async function keyOf(typed: string): Promise<CryptoKey> {
  const { version, salt, encrypted_private_key } = data.key;
  const { wrapKey } = await deriveLoginKeys(typed, { version, salt: decodeBase64(salt) });
  return importPrivateKey(await unwrapPrivateKey(encrypted_private_key, wrapKey));
}

async function show(key: CryptoKey): Promise<void> {
  for (const [name, things] of Object.entries(data.records)) {
    if (things.length === 0) continue;
    const shown = await Promise.all(things.map(async (thing) => drawn(await opened(thing, key))));
    const summary = made('summary', {}, `${name.replaceAll('_', ' ')} (${things.length})`);
    const isFirst = name === 'fields';
    main.append(made('details', isFirst ? { open: '' } : {}, summary, ...shown));
  }
  if (data.files.length > 0) main.append(fileList(key));
  if (data.missing.length > 0) {
    const rows = data.missing.map(({ what, reason }) => made('li', {}, `${what}: ${reason}`));
    main.append(made('h2', {}, texts.missing), made('ul', {}, ...rows));
  }
}

/** The same with everything opened that was sealed to the person. */
async function opened(value: unknown, key: CryptoKey): Promise<unknown> {
  if (isWrapper(value)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return openText(text, key).catch(() => texts.forOthers);
  }
  if (Array.isArray(value)) return Promise.all(value.map((each) => opened(each, key)));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(async ([name, each]) => [name, await opened(each, key)] as const);
  return Object.fromEntries(await Promise.all(members));
}

function drawn(value: unknown): Node {
  if (typeof value !== 'object' || value === null) return made('span', {}, String(value ?? '–'));
  const rows = Object.entries(value).map(([name, each]) => {
    const cell = made('td', {}, drawn(each));
    return made('tr', {}, made('th', { scope: 'row' }, name.replaceAll('_', ' ')), cell);
  });
  return made('table', {}, made('tbody', {}, ...rows));
}

/** Files are in the zip beside this page, which must be chosen once. */
function fileList(key: CryptoKey): Node {
  let zip: Uint8Array | undefined;
  const input = made('input', { type: 'file', accept: '.zip' });
  const rows = data.files.map((file) => {
    const button = made('button', { type: 'button', disabled: '' }, texts.save);
    button.setAttribute('aria-label', `${texts.save}: ${file.label}`);
    button.addEventListener('click', async () => {
      const bytes = zip && unzipSync(zip, { filter: ({ name }) => name === file.path })[file.path];
      if (bytes !== undefined) await saveAll(file, bytes, key);
    });
    return { button, row: made('li', {}, `${file.label} `, button) };
  });
  input.addEventListener('change', async () => {
    const [chosen] = input.files ?? [];
    zip = chosen && new Uint8Array(await chosen.arrayBuffer());
    for (const { button } of rows) button.disabled = zip === undefined;
  });
  return made(
    'section',
    {},
    made('h2', {}, texts.files),
    made('label', {}, texts.choose, input),
    made('ul', {}, ...rows.map(({ row }) => row)),
  );
}

async function saveAll(file: ExportedFile, bytes: Uint8Array, key: CryptoKey): Promise<void> {
  const found = await filesOf(bytes, key).catch(() => [{ name: undefined, bytes: () => bytes }]);
  for (const { name, bytes: content } of found) save(name ?? file.label, content());
}

/** What is in a file of the platform: a wrapper of an envelope, or the envelope itself. */
async function filesOf(bytes: Uint8Array, key: CryptoKey) {
  const answer: { value?: unknown } = JSON.parse(new TextDecoder().decode(bytes));
  const inner = answer.value ?? answer;
  const text = typeof inner === 'string' ? inner : JSON.stringify(inner);
  const envelope = parseFileEnvelope(isWrapper(inner) ? await openText(text, key) : text);
  const named = (name: string | undefined, file: EnvelopeFile) => ({
    name: file.originalName ?? name,
    bytes: () => file.bytes(),
  });
  if (envelope.kind === 'photo') return [named(undefined, envelope.full)];
  if (envelope.kind === 'pages') return envelope.pages.map((page) => named(page.label, page));
  return [named(envelope.name, envelope.file)];
}

function save(name: string, bytes: Uint8Array): void {
  const address = URL.createObjectURL(new Blob([new Uint8Array(bytes)]));
  const link = made('a', { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}
