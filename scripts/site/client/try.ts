/* Calls of the platform that serves the page, made from the page of an operation. */
import { tabSettings } from '../../../apps/web/src/text/settings.ts';

const TOKEN = 'symbolon-docs-token';
/** A browser that keeps no data of sites has it on this page alone. */
let token = tabSettings.read(TOKEN);
const origin = () => location.origin;
const root = () => document.documentElement.dataset.root ?? './';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly sample?: unknown;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
}

/** Adds the form by which an operation is called, and on the list of operations the one by which one signs in. */
export function offerTry(): void {
  for (const each of document.querySelectorAll<HTMLElement>('[data-sign-in]')) each.replaceWith(signInForm());
  const place = document.querySelector<HTMLElement>('[data-try]');
  if (place !== null) place.replaceWith(callForm(JSON.parse(place.dataset.try ?? '{}')), signInForm());
  void signInByAddress();
}

function field(label: string, input: HTMLElement): HTMLLabelElement {
  const made = document.createElement('label');
  made.append(label, input);
  return made;
}

function textInput(name: string, type = 'text'): HTMLInputElement {
  const input = document.createElement('input');
  Object.assign(input, { name, type, autocomplete: 'off', spellcheck: false });
  return input;
}

function button(text: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.textContent = text;
  return made;
}

/** Asks for a token with a client's credentials, or takes one that there is. It lives as long as the tab. */
function signInForm(): HTMLElement {
  const details = document.createElement('details');
  details.className = 'sign-in';
  const summary = document.createElement('summary');
  const form = document.createElement('form');
  const [id, secret, given] = [
    textInput('client_id'),
    textInput('client_secret', 'password'),
    textInput('token', 'password'),
  ];
  const said = document.createElement('p');
  said.setAttribute('role', 'status');
  const say = () => {
    summary.textContent = token === undefined ? 'Sign in to call it' : 'Signed in; sign in as another client';
  };
  form.append(
    field('Client id', id),
    field('Client secret', secret),
    field('or an access token', given),
    button('Sign in'),
    said,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    said.textContent = '';
    const problem = given.value === '' ? await askForToken(id.value, secret.value) : keep(given.value);
    const isKept = tabSettings.read(TOKEN) === token;
    said.textContent = problem ?? `Signed in for as long as this ${isKept ? 'tab' : 'page'} is open.`;
    say();
  });
  addEventListener('symbolon-signed-in', say);
  say();
  details.append(summary, form);
  return details;
}

function keep(made: string): undefined {
  token = made;
  tabSettings.keep(TOKEN, made);
  dispatchEvent(new Event('symbolon-signed-in'));
}

/** @returns what went wrong */
async function askForToken(id: string, secret: string): Promise<string | undefined> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  });
  const answer = await fetch(`${origin()}/oauth2/token`, { method: 'POST', body });
  const read = await answer.json();
  return answer.ok ? keep(read.access_token) : String(read.error_description ?? read.error);
}

/** `#client=ID:SECRET`, as the demo prints it: what follows # never leaves the browser, and goes from the address at once. */
async function signInByAddress(): Promise<void> {
  const [, id = '', secret = ''] = /^#client=([^:]+):(.+)$/.exec(location.hash) ?? [];
  if (id === '') return;
  history.replaceState(null, '', location.pathname);
  await askForToken(decodeURIComponent(id), decodeURIComponent(secret));
}

function callForm(call: Call): HTMLElement {
  const form = document.createElement('form');
  form.className = 'try';
  const inputs = call.parameters.map((parameter) => {
    const input = textInput(parameter.name);
    input.required = parameter.required;
    form.append(field(parameter.name, input));
    return { ...parameter, input };
  });
  const body = call.type === undefined ? undefined : document.createElement('textarea');
  if (body !== undefined) {
    body.rows = 8;
    body.spellcheck = false;
    body.value =
      call.type === 'application/json' ? JSON.stringify(call.sample, null, 2) : formText(call.sample);
    form.append(field(`Body, ${call.type}`, body));
  }
  const output = document.createElement('div');
  output.setAttribute('role', 'status');
  form.append(button(`Call ${call.method} ${call.path}`), output);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    output.textContent = 'Calling …';
    const address = new URL(
      call.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
        encodeURIComponent(inputs.find((each) => each.name === name)?.input.value ?? ''),
      ),
      origin(),
    );
    for (const { name, in: where, input } of inputs)
      if (where === 'query' && input.value !== '') address.searchParams.set(name, input.value);
    try {
      output.replaceChildren(await answerOf(call, address, body?.value));
    } catch (error) {
      output.textContent = error instanceof Error ? error.message : String(error);
    }
  });
  return form;
}

const formText = (sample: unknown) =>
  new URLSearchParams(
    Object.entries((sample ?? {}) as Record<string, string>).map(([name, value]) => [name, String(value)]),
  ).toString();

async function answerOf(
  { method, type }: Call,
  address: URL,
  body: string | undefined,
): Promise<HTMLElement> {
  const began = performance.now();
  const answer = await fetch(address, {
    method,
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  const made = document.createElement('div');
  const line = document.createElement('p');
  line.append(`${answer.status} ${answer.statusText} after ${Math.round(performance.now() - began)} ms`);
  const key = /"error_key":\s*"([^"]+)"/.exec(text)?.[1];
  if (key !== undefined) {
    const link = document.createElement('a');
    link.href = `${root()}errors/${key}.html`;
    link.textContent = key;
    line.append(': ', link);
  }
  const pre = document.createElement('pre');
  pre.className = 'code';
  pre.tabIndex = 0;
  pre.textContent = readable(text);
  made.append(line, pre);
  return made;
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
