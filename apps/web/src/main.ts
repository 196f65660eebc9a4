import '@fontsource-variable/inter/wght.css';
import './styles.ts';
import { isForPeople } from './platform/for-people.ts';
import { OPEN_CONSENT, SESSION } from './platform/inner/addresses.ts';
import { prefetch } from './platform/inner/prefetch.ts';
import { loadTexts, preferredLanguage } from './text/language.ts';

/*
 * The first script, and a small one: it sends what the first page asks for, while the browser loads and compiles the page. The
 * document names the files of the page, so that they are loaded in the meantime.
 */

// Browsers give keys and passkeys to the name, not to the numbers.
const isByNumbers = location.hostname === '127.0.0.1' || location.hostname === '[::1]';
if (isByNumbers) location.replace(location.href.replace(location.hostname, 'localhost'));
else {
  if (globalThis.isSecureContext) {
    if (isForPeople(location.pathname)) prefetch('GET', SESSION);
    if (location.pathname === '/auth') prefetch('POST', OPEN_CONSENT, { query: location.search });
  }
  import('./app.tsx').then(({ start }) => start());
  const language = preferredLanguage();
  loadTexts(language);
  // Pages inside an account, and behind these, ask for their texts when they are shown, which is late.
  if (language === 'de' && /^\/(?:me|portal|sign-in|register|verify)(?:\/|$)/.test(location.pathname)) {
    import('./text/inside/de.ts').catch(() => undefined);
  }
}
