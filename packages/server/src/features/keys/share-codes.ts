import type { Writer } from '../../db/database.ts';
import type { Ids } from '../../ports/ids.ts';

const CODE_LENGTH = 6;

/**
 * Gives a person or a company the code under which its key is found: one namespace for both, so that one look-up serves
 * (wire contract, keys).
 */
export async function assignShareCode(
  writer: Writer,
  ids: Ids,
  subject: { kind: 'person' | 'company'; id: string },
): Promise<string> {
  for (;;) {
    const code = ids.code(CODE_LENGTH);
    const result = await writer
      .insertInto('share_codes')
      .values({ code, kind: subject.kind, subject_id: subject.id })
      .onConflict((conflict) => conflict.column('code').doNothing())
      .executeTakeFirst();
    if ((result.numInsertedOrUpdatedRows ?? 0n) > 0n) return code;
  }
}
