import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** One line of the log: a test that failed, or a file that has ended. */
export type Logged =
  | {
      readonly type: 'failed';
      readonly name: string;
      /** 0: it stands in no suite. A suite comes after its tests. */
      readonly nesting: number;
      /** Where it stands, or the file that ended without having run its tests. */
      readonly file: string;
      /** What was wrong; undefined for a suite whose tests say it. */
      readonly text: string | undefined;
    }
  | { readonly type: 'ended'; readonly file: string; readonly success: boolean };

/** A reporter for Node's test runner: what a program needs to know of the files that failed, as lines of JSON. */
export default async function* failureLog(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type === 'test:fail' && data.todo === undefined) {
      const { name, nesting, file = '', details } = data;
      const failure = details.error as Error & { failureType?: string };
      const text = failure.failureType === 'subtestsFailed' ? undefined : inspect(failure.cause ?? failure);
      yield line({ type: 'failed', name, nesting, file, text });
    }
    if (type === 'test:summary' && data.file !== undefined) {
      yield line({ type: 'ended', file: data.file, success: data.success });
    }
  }
}

const line = (logged: Logged) => `${JSON.stringify(logged)}\n`;
