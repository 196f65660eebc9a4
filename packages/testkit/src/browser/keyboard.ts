import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** More stops than any page or sheet has: a place that is not reached by then is reached by no one. */
const STOPS_MOST = 90;

/**
 * A person who has a keyboard and nothing else: goes from stop to stop by Tab, presses Enter, Space, Escape and arrows, and types. At
 * each stop it is seen where the focus is, and after each act the focus is somewhere.
 */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Goes to a control, on or back. One that has the focus already is where it should be. */
  async to(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await target.waitFor({ state: 'attached' });
    await this.#page
      .waitForFunction(() => document.activeElement !== null && document.activeElement !== document.body)
      .catch(() => assert.fail(`before ${target} the focus is lost`));
    const stops: string[] = [];
    for (let stop = 0; stop < STOPS_MOST; stop++) {
      if (await hasFocus(target)) return;
      await this.#page.keyboard.press(key);
      const standing = await this.standing();
      stops.push(await this.#name());
      // After the last stop comes the frame of the browser, and then the first one.
      assert.ok(standing === 'seen' || standing === 'nowhere', `${standing}: ${stops.at(-1)}`);
    }
    assert.fail(`${target} is not reached from\n${stops.join('\n')}`);
  }

  /** Presses a button, or follows a link. */
  async press(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await this.to(target);
    await this.#page.keyboard.press(key);
  }

  /** Types into a field, in place of what stands there. */
  async type(target: Locator, text: string): Promise<void> {
    await this.to(target);
    await this.#page.keyboard.press('Control+A');
    await this.#page.keyboard.type(text);
  }

  async keys(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  /** Opens a sheet: the focus is in it then. @returns the sheet */
  async open(opener: Locator, sheet: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<Locator> {
    await this.press(opener, key);
    await sheet.waitFor();
    await this.isIn(sheet);
    return sheet;
  }

  /** After a sheet has closed: the focus is where it came from, or on what took the place of that. */
  async isBackAt(opener: Locator): Promise<void> {
    await this.#page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventuallyTrue(this.#page, opener, (at) => at === document.activeElement);
  }

  async isIn(place: Locator): Promise<void> {
    await eventuallyTrue(this.#page, place, (at) => at.contains(document.activeElement));
  }

  /** Whether it is seen where the focus is, once the page is painted, and if not, why. */
  standing(): Promise<'seen' | 'nowhere' | 'not drawn' | 'out of sight' | 'covered'> {
    return this.#page.evaluate(async () => {
      await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
      const at = document.activeElement;
      if (!(at instanceof HTMLElement) || at === document.body) return 'nowhere';
      // The browser draws by itself that the picker in a date has the focus: the field around it matches nothing then.
      if (!at.matches(':focus-visible, [type=date]')) return 'not drawn';
      // Boxes to tick, switches and choices of files are drawn by what is around them.
      let drawn = at;
      while (drawn.offsetWidth * drawn.offsetHeight < 16 && drawn.parentElement) drawn = drawn.parentElement;
      const { left, right, top, bottom } = drawn.getBoundingClientRect();
      if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) return 'out of sight';
      const [x, y] = [
        (Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
        (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2,
      ];
      const shown = document.elementFromPoint(x, y);
      const isShown = shown !== null && (drawn.contains(shown) || shown.contains(drawn));
      return isShown || shown?.closest('label')?.contains(drawn) ? 'seen' : 'covered';
    });
  }

  #name(): Promise<string> {
    return this.#page.evaluate(() => {
      const at = document.activeElement;
      return `${at?.tagName} ${at?.ariaLabel ?? at?.textContent?.slice(0, 60)}`;
    });
  }
}

const hasFocus = (target: Locator) => target.evaluate((node) => node === document.activeElement);

async function eventuallyTrue(page: Page, place: Locator, look: (at: Element) => boolean): Promise<void> {
  const handle = await place.elementHandle();
  try {
    await page.waitForFunction(look as (at: unknown) => boolean, handle);
  } catch {
    const at = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
    assert.fail(`the focus is not at ${place} but at ${at}`);
  }
}
