/**
 * Runs in each page. Writes an error to the console when what had the focus went away or can have it no longer, and nothing else got
 * it: whoever works by keyboard or with a screen reader would have to begin at the top of the page again. It counts frames and no
 * time, since a slow machine draws fewer.
 */
export function watchFocus(): void {
  const most = 60;
  let last: Element | undefined;
  let isLooking = false;
  addEventListener('focusin', ({ target }) => (last = target instanceof Element ? target : undefined), true);
  // A press beside everything takes the focus away, and is meant to.
  const pressed = ({ target }: Event) => {
    if (target instanceof Node && document.activeElement?.contains(target) === false) last = undefined;
  };
  addEventListener('pointerdown', pressed, true);
  const isLost = () =>
    document.activeElement === document.body &&
    last !== undefined &&
    // What is switched off while it works gets the focus back.
    !last.matches('[data-loading]') &&
    !(last.isConnected && last.checkVisibility() && !last.matches(':disabled, [inert] *'));
  const look = (frames: number) => {
    isLooking = isLost() && frames < most;
    if (isLooking) {
      requestAnimationFrame(() => look(frames + 1));
    } else if (isLost()) {
      // biome-ignore lint/suspicious/noConsole: this is how it tells the test
      console.error(`the focus was lost with ${last?.outerHTML} at ${location.pathname}`);
      last = undefined;
    }
  };
  const changed = () => {
    if (!isLooking && isLost()) look(0);
  };
  new MutationObserver(changed).observe(document, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'hidden', 'inert'],
  });
}
