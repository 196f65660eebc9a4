/**
 * Runs in the page: scrolls an endless table to the end of all rows.
 *
 * @returns each row that was drawn, by its number, with where its first cell leads or what that says, and how many were drawn at most
 */
export async function walkDown(box: Element): Promise<{ rows: [number, string][]; drawnMost: number }> {
  const met = new Map<number, string>();
  let drawnMost = 0;
  const painted = () => new Promise(requestAnimationFrame);
  // The table moves in the window when what is below it goes.
  const isDrawn = () => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    const rowAt = (y: number) =>
      document.elementFromPoint((left + right) / 2, y)?.closest('tr[aria-rowindex]');
    return rowAt(top + 60) && rowAt(Math.min(bottom, innerHeight) - 10);
  };
  for (;;) {
    while (!isDrawn()) await painted();
    drawnMost = Math.max(drawnMost, box.querySelectorAll('tr').length);
    for (const row of box.querySelectorAll('tr[aria-rowindex]')) {
      const told = row.querySelector('a')?.pathname ?? row.querySelector('button')?.textContent ?? '';
      met.set(Number(row.getAttribute('aria-rowindex')), told);
    }
    const isWhole = box.querySelector('table')?.getAttribute('aria-rowcount') !== '-1';
    const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
    if (isWhole && isAtEnd) return { rows: [...met], drawnMost };
    box.scrollTop += box.clientHeight - 100;
    await painted();
  }
}

/** What rows say, in the order of their numbers. */
export const inOrder = (rows: readonly (readonly [number, string])[]): string[] =>
  rows.toSorted(([one], [other]) => one - other).map(([, told]) => told);
