import { PERSON_PAGE } from './inner/addresses.ts';
import { siteWorker } from './inner/site-worker.ts';

/** The version of the pages that are open, as the platform has named it in them. */
const own = () => document.querySelector<HTMLMetaElement>('meta[name="symbolon-version"]')?.content;

const LOOKS_MS = 30 * 60_000;
/** Someone who goes to and fro between apps makes no call each time. */
const LOOKS_AGAIN_MS = 60_000;

let outdated = false;
let lookedAt = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Whether the platform has newer pages than those that are open. */
export const isOutdated = (): boolean => outdated;

/** Looks when the page is looked at again, and every half hour. @returns ends it */
export function whenOutdated(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(look, LOOKS_MS);
    document.addEventListener('visibilitychange', lookAgain);
    document.addEventListener('input', noteTyped, true);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', lookAgain);
  };
}

const lookAgain = () => {
  if (document.visibilityState === 'visible' && Date.now() - lookedAt > LOOKS_AGAIN_MS) void look();
};

async function look(): Promise<void> {
  const version = own();
  if (outdated || version === undefined) return;
  lookedAt = Date.now();
  try {
    const { ok, headers } = await fetch(PERSON_PAGE, { method: 'HEAD', cache: 'no-store' });
    const tag = headers.get('etag');
    outdated = ok && tag !== null && !tag.includes(version);
  } catch {
    // Without a network there is nothing newer.
  }
  if (!outdated) return;
  // The files of the new pages are there when they are loaded, also without a network.
  void siteWorker()
    .then((worker) => worker?.update())
    .catch(() => undefined);
  for (const listener of listeners) listener();
}

type Field = HTMLInputElement | HTMLTextAreaElement;
const typed = new Set<Field>();
/** What is chosen is chosen again in a moment, and a search is no work. */
const TYPED = 'textarea, input:not([type=search], [type=checkbox], [type=radio], [type=file])';

function noteTyped({ target }: Event): void {
  if (target instanceof HTMLElement && target.matches(TYPED)) typed.add(target as Field);
}

/** Whether something that was typed stands in the page, and would go with it. */
export function hasTyped(): boolean {
  for (const field of typed) if (!field.isConnected || field.value === '') typed.delete(field);
  return typed.size > 0;
}
