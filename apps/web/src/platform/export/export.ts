import type { LoginParameters } from '@symbolon/protocol';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { onDevice } from '../device.ts';
import { call } from '../inner/api.ts';
import { wrappedKey } from '../security.ts';
import type { SignedIn } from '../session.ts';
import { collect } from './collect.ts';
import type { Exported } from './format.ts';
import type { OpenerTexts } from './opener.ts';
import openerAddress from './opener.ts?worker&url';

export interface MadeExport {
  readonly name: string;
  readonly zip: Blob;
  readonly missing: Exported['missing'];
}

/**
 * Everything that the platform holds about the person, as a zip that opens without the platform.
 *
 * @param password is tried first: with it the zip opens later
 * @param tell how much of it is done, from 0 to 1
 * @throws SymbolonError `crypto.passphrase_wrong`, `page.password_session`
 */
export async function makeExport(
  session: SignedIn,
  password: string,
  texts: { readonly opener: OpenerTexts; readonly readme: string },
  tell: (share: number) => void,
): Promise<MadeExport> {
  const { person } = session;
  const wrapped = await wrappedKey(session);
  const parameters = await call<LoginParameters>('POST', '/api/person/login/parameters', {
    email: person.email,
  });
  const { wrapKey } = await onDevice('loginSecret', { parameters, password });
  await onDevice('open', { wrapped, wrapKey });
  const script = await (await fetch(openerAddress)).text();
  const { records, files, bytes, missing } = await collect(tell);
  const made: Exported = {
    format: 'symbolon-export',
    version: 1,
    made_at: new Date().toISOString(),
    origin: location.origin,
    person,
    key: { ...parameters, encrypted_private_key: wrapped },
    records,
    files,
    missing,
  };
  const entries: Zippable = {
    'open.html': strToU8(pageOf(made, texts.opener, script)),
    'data.json': strToU8(JSON.stringify(made, null, 2)),
    'README.txt': strToU8(texts.readme),
  };
  // What is sealed does not become smaller.
  for (const [path, content] of bytes) entries[path] = [content, { level: 0 }];
  const zip = new Blob([new Uint8Array(zipSync(entries))], { type: 'application/zip' });
  return { name: `symbolon-${made.made_at.slice(0, 10)}.zip`, zip, missing };
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}main{max-width:52rem;margin:0 auto;padding:1rem}
label{display:block;margin:.5rem 0}input{display:block;font:inherit;padding:.5rem;margin:.25rem 0;max-width:100%}button{font:inherit;padding:.5rem 1rem;min-height:2.75rem}
details{margin:1rem 0}summary{font-weight:600;cursor:pointer;padding:.5rem 0}table{border-collapse:collapse;width:100%;margin:.5rem 0}
th,td{text-align:start;vertical-align:top;padding:.25rem .5rem;border-block-end:1px solid #8884;overflow-wrap:anywhere}th{width:30%;font-weight:400;opacity:.75}`;

/** One page with all that it needs. Its policy lets it load nothing. */
function pageOf(made: Exported, texts: OpenerTexts, script: string): string {
  const json = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');
  const policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  return `<!doctype html>
<html lang="${document.documentElement.lang}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title}</title>
<style>${STYLE}</style>
<main></main>
<script type="application/json" id="data">${json(made)}</script>
<script type="application/json" id="texts">${json(texts)}</script>
<script type="module">${script.replaceAll('</script', '<\\/script')}</script>
</html>
`;
}
