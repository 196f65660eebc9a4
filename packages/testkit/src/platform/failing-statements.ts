import assert from 'node:assert/strict';
import type { KyselyPlugin, QueryId, RootOperationNode } from 'kysely';
import { PlatformError } from '../../../server/src/core/errors.ts';
import type { Writer } from '../../../server/src/db/database.ts';
import type { Answer } from './calls.ts';
import { isInCall, noteCalls } from './in-call.ts';
import type { TestPlatform } from './platform.ts';

/**
 * Makes a call again and again: the first time the first statement of its transactions fails, then the second, and so on until
 * none is left to fail. Each time but the last it must be refused: what is not saved whole is not acknowledged.
 * @param call the same act, each time with what can be used only once (a code, a nonce) again
 * @returns the last answer, of the call that nothing disturbed
 */
export async function refusedWhenAnyFails(
  platform: TestPlatform,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const { database } = platform.context;
  const { write } = database;
  let left = 0;
  let failed: string | undefined;
  const kinds = new WeakMap<QueryId, RootOperationNode>();
  const failing: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      kinds.set(queryId, node);
      return node;
    },
    async transformResult({ queryId, result }) {
      if (failed === undefined && left-- === 0) {
        failed = kinds.get(queryId)?.kind ?? 'a prepared statement';
        throw new PlatformError('platform.busy');
      }
      return result;
    },
  };
  const broken = (run: (writer: Writer) => Promise<unknown>): Promise<unknown> =>
    write.call(database, isInCall() ? (writer: Writer) => run(writer.withPlugin(failing)) : run);
  Object.assign(database, { write: broken });
  const forget = noteCalls(platform);
  try {
    for (let nth = 0; ; nth++) {
      left = nth;
      failed = undefined;
      const answer = await call();
      const { status, text } = answer;
      if (failed === undefined) {
        assert.ok(nth > 0, `The call writes nothing: ${status} ${text}`);
        return answer;
      }
      assert.ok(status >= 500, `${status} ${text} although statement ${nth + 1} failed: ${failed}`);
    }
  } finally {
    forget();
    Object.assign(database, { write });
  }
}
