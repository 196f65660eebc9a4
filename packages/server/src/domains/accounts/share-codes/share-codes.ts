import { limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Ids } from '../../../core/ids.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { customCodesOf, deleteCustomCode, insertCode } from './store.ts';

const CODE_LENGTH = 6;

/**
 * Gives a person or a company the code under which its key is found: one namespace for both, so that one look-up serves
 * (wire 4.4).
 * @param claimed the code, where there are several regions: it was claimed among all of them
 */
export async function assignShareCode(
  writer: Writer,
  ids: Ids,
  subject: { kind: 'person' | 'company'; id: string },
  claimed?: string,
): Promise<string> {
  for (;;) {
    const code = claimed ?? ids.code(CODE_LENGTH);
    if (await insertCode(writer, { code, kind: subject.kind, subject_id: subject.id })) return code;
    if (claimed !== undefined) throw new Error('A claimed share code is already in use.');
  }
}

const CUSTOM = new RegExp(limits.customShareCode);

type Deps = Pick<Core, 'database'>;

/** Codes that an operator gives people: accepted wherever a share code is, never shown. */
export class CustomShareCodes {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  static isOne(code: string): boolean {
    return CUSTOM.test(code);
  }

  /** By person. */
  of(reader: Reader, personIds: readonly string[]): Promise<Map<string, string[]>> {
    return customCodesOf(reader, personIds);
  }

  /**
   * Gives a person a code in the caller's transaction; one that the person has already stays.
   * @throws {PlatformError} admin.share_code_invalid, admin.share_code_taken, admin.share_codes_limit
   */
  async add(writer: Writer, personId: string, code: string): Promise<void> {
    if (!CUSTOM.test(code)) throw new PlatformError('admin.share_code_invalid');
    await lock(this.#deps.database.engine, writer, 'persons', [personId]);
    const present = (await customCodesOf(writer, [personId])).get(personId) ?? [];
    if (present.includes(code)) return;
    if (present.length >= limits.customShareCodesMost) throw new PlatformError('admin.share_codes_limit');
    if (!(await insertCode(writer, { code, kind: 'person', subject_id: personId, custom: 1 })))
      throw new PlatformError('admin.share_code_taken');
  }

  /** @throws {PlatformError} admin.share_code_not_found */
  async remove(writer: Writer, personId: string, code: string): Promise<void> {
    if (!(await deleteCustomCode(writer, code, personId))) {
      throw new PlatformError('admin.share_code_not_found');
    }
  }
}
