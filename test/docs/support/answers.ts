import assert from 'node:assert/strict';
import type { Ran } from './run-page.ts';

/**
 * Compares every block `answer` of a page with what the block before it printed: what the page shows must be there, `…`
 * stands for any text, and members that the page leaves out do not count.
 */
export function assertAnswers(page: string, { blocks, output }: Ran): void {
  for (const [index, { kind, text, line }] of blocks.entries()) {
    if (kind !== 'answer') continue;
    const before = blocks.slice(0, index).findLast((block) => block.kind === 'run');
    const printed = output.get(before?.line ?? 0) ?? '';
    const where = `${page}:${line}`;
    assertShown(JSON.parse(text), JSON.parse(lastJson(printed) ?? 'null'), where);
  }
}

/** What else a block printed, as a recovery code, comes before the answer. */
function lastJson(printed: string): string | undefined {
  const start = printed.search(/^\s*\{/m);
  return start < 0 ? undefined : printed.slice(start);
}

function assertShown(shown: unknown, given: unknown, where: string): void {
  if (typeof shown === 'string' && shown.includes('…')) {
    const pattern = shown.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    assert.match(String(given), new RegExp(`^${pattern.join('[^]+')}$`), where);
    return;
  }
  if (typeof shown !== 'object' || shown === null) {
    assert.equal(given, shown, where);
    return;
  }
  for (const [name, member] of Object.entries(shown)) {
    assertShown(member, (given as Record<string, unknown> | null)?.[name], `${where} ${name}`);
  }
}
