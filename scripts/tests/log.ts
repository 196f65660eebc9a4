import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** One line of the log: a test or suite that has ended, or a file. */
export type Logged =
  | {
      readonly type: 'passed' | 'failed';
      readonly name: string;
      /** 0: it stands in no suite. A suite comes after its tests. */
      readonly nesting: number;
      /** Where it stands, or the file that ended without having run its tests. */
      readonly file: string;
      readonly isSuite: boolean;
      readonly ms: number;
      /** Why it did not run. */
      readonly skipped?: string | true;
      /** What was wrong; undefined for a suite whose tests say it. */
      readonly text?: string;
    }
  | { readonly type: 'ended'; readonly file: string; readonly success: boolean };

/** A reporter for Node's test runner: what a program needs to know of a run, as lines of JSON. */
export default async function* runLog(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type === 'test:pass' || (type === 'test:fail' && data.todo === undefined)) {
      const { name, nesting, file = '', details } = data;
      const about = { name, nesting, file, isSuite: details.type === 'suite', ms: details.duration_ms };
      if (type === 'test:pass') {
        const skipped = data.skip === undefined || data.skip === false ? {} : { skipped: data.skip };
        yield line({ type: 'passed', ...about, ...skipped });
        continue;
      }
      const failure = data.details.error as Error & { failureType?: string };
      const isOfTests = failure.failureType === 'subtestsFailed';
      yield line({
        type: 'failed',
        ...about,
        ...(!isOfTests && { text: inspect(failure.cause ?? failure) }),
      });
    }
    if (type === 'test:summary' && data.file !== undefined) {
      yield line({ type: 'ended', file: data.file, success: data.success });
    }
  }
}

const line = (logged: Logged) => `${JSON.stringify(logged)}\n`;
