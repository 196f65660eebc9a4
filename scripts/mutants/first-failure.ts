import { readFileSync, writeFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { setTimeout as later } from 'node:timers/promises';
import { Ended, LATE_MS, SETTINGS_VARIABLE, type Settings } from './settings.ts';

/** A reporter that ends the process with the first test that notices a mutant, or when those have passed that reach it. */
export default async function* firstFailure(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const settings = JSON.parse(readFileSync(process.env[SETTINGS_VARIABLE] ?? '', 'utf8')) as Settings;
  const { files, result, steady = [], reaching } = settings;
  const waiting = new Set(reaching);
  const titles: string[] = files.length > 1 ? [] : [...files];
  const first = titles.length;
  for await (const { type, data } of source) {
    if (type === 'test:dequeue') {
      titles.length = first + data.nesting;
      titles.push(data.name);
    }
    if (type !== 'test:complete') continue;
    const name = [...titles.slice(0, first + data.nesting), data.name].join(' > ');
    const { passed } = data.details as { passed?: boolean };
    waiting.delete(name);
    if (passed === false && steady.includes(name)) {
      writeFileSync(result, name);
      process.exit(Ended.noticed);
    }
    endIfLost();
    if (reaching !== undefined && waiting.size === 0) {
      // A call without an await may still fail.
      await later(2 * LATE_MS);
      endIfLost();
      process.exit(Ended.notNoticed);
    }
  }
  endIfLost();
  yield '';

  function endIfLost(): void {
    const [error] = globalThis.lostFailures ?? [];
    if (error === undefined) return;
    writeFileSync(result, `a call without an await: ${error}`);
    process.exit(Ended.noticed);
  }
}
