/** What a keyboard can reach. */
const REACHED = [
  'input:not([disabled], [type=hidden])',
  ...['select', 'textarea', 'button'].map((name) => `${name}:not([disabled])`),
  'a[href]',
  'summary',
  '[tabindex="0"]',
].join(', ');
const SHEET = '[role=dialog]';
/** A page, a sheet or a form that comes may take the focus itself; it needs no longer. */
const WAIT_MS = 60;
/** What comes later than that is no part of what was done. */
const TRIES_MOST = 100;

/**
 * Keeps the focus of a keyboard and a screen reader where the user is at work. It is lost with a button that goes away as it is pressed: then
 * it goes on to what came in its place, else to what stands beside it. From a sheet that has gone it goes back to what opened it. A button that
 * was switched off while it worked gets it back, and so does what changes its place. What was in sight stays there when something above it grows, such as a document that is
 * drawn page by page.
 */
export function keepFocus(root: HTMLElement): void {
  let last: HTMLElement | undefined;
  /** What went away with the focus. */
  let gone: HTMLElement | undefined;
  let wasInSight = false;
  /** What had the focus before a sheet took it. */
  const openers = new WeakMap<Element, HTMLElement>();
  /** What opened a sheet that has gone. What one sheet led to goes back to where the first came from. */
  const openerOf = (sheet: Element | null): HTMLElement | null => {
    if (sheet === null || sheet.isConnected) return null;
    const opener = openers.get(sheet) ?? null;
    return opener === null || opener.isConnected ? opener : openerOf(opener.closest(SHEET));
  };
  const isLost = () => document.activeElement === null || document.activeElement === document.body;
  root.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const sheet = target.closest(SHEET);
    const from = last ?? gone;
    if (sheet !== null && from !== undefined && !openers.has(sheet) && !sheet.contains(from))
      openers.set(sheet, from);
    last = target;
    wasInSight = isInSight(target);
  });
  document.addEventListener('scroll', () => (wasInSight = last !== undefined && isInSight(last)), {
    passive: true,
  });
  new ResizeObserver(() => {
    if (last !== document.activeElement || !wasInSight || isInSight(last)) return;
    last.scrollIntoView({ block: 'nearest' });
  }).observe(root);
  new MutationObserver((records) => {
    const lost = last;
    if (lost === undefined || !isLost()) return;
    if (lost.isConnected) {
      const isBack = ({ target, addedNodes }: MutationRecord) =>
        target === lost || [...addedNodes].some((node) => node.contains(lost));
      if (lost.matches(REACHED) && records.some(isBack)) lost.focus();
      return;
    }
    const record = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(lost)));
    if (record === undefined) return;
    [last, gone] = [undefined, lost];
    const { target, addedNodes, nextSibling, previousSibling } = record;
    const sheet = lost.closest(SHEET) ?? (target instanceof Element ? target.closest(SHEET) : null);
    const near = [...addedNodes, nextSibling, previousSibling, ...ancestorsOf(target)];
    const find = (tries: number) => {
      if (!isLost()) return;
      // The sheet may have been closed since.
      for (const place of [openerOf(sheet), ...near, document.querySelector('main')]) if (goTo(place)) return;
      // Nothing there takes it while it is being loaded.
      if (tries > 0) setTimeout(find, WAIT_MS, tries - 1);
    };
    setTimeout(find, WAIT_MS, TRIES_MOST);
  }).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] });
}

function isInSight(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** A place and those around it, as far as the sheet or the page that it is in; the page for what was in neither. */
function ancestorsOf(place: Node): (Node | null)[] {
  const found: Node[] = [];
  for (let at: Node | null = place; at instanceof HTMLElement; at = at.parentElement) {
    found.push(at);
    if (at.matches('main, [role=dialog]')) return found;
  }
  return [document.querySelector('main')];
}

/** Gives the focus to the first thing in a place that takes it; what asks for it comes first. @returns whether there is one */
function goTo(place: Node | null): boolean {
  if (!(place instanceof HTMLElement) || !place.isConnected) return false;
  const within = (names: string) => [...place.querySelectorAll<HTMLElement>(names)];
  const asking = within('[data-autofocus]').slice(0, 1);
  for (const each of [...asking, ...(place.matches(REACHED) ? [place] : within(REACHED))]) {
    // A list that opens with the focus is for those who want it open.
    const goal: HTMLElement = each.getAttribute('aria-haspopup') === 'listbox' ? place : each;
    if (goal === place && !place.matches(REACHED)) place.tabIndex = -1;
    goal.focus();
    if (document.activeElement === goal) return true;
  }
  return false;
}
