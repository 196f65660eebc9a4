import { limits } from '@symbolon/protocol';
import { isLeft, type Limiter } from '../../../access/limit-store.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Audit } from '../../operations/index.ts';
import { burn, revoke } from './store.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'limitStore'> {
  readonly audit: Audit;
}

/** A code that is older has expired. Twice its life: clocks differ. */
const NOTED_S = 2 * limits.signInCodeSeconds;

/** A sign-in that a code names. */
interface Named {
  readonly company_id: string;
  readonly id: string;
  readonly client_id: string;
}

/** What could not be saved when it happened. */
interface Owed extends Named {
  readonly usedAt: number;
  revoked: boolean;
  readonly until: number;
}

/**
 * Sees to it that a code is used once. Each use is noted where calls are counted: in the Redis that all processes share, or
 * in this process. Then it is saved; while saving is paused or impossible, apps exchange codes all the same, and it is saved
 * later. Processes learn of a pause and of its end at different times, and one that owes a use may die: so each of them
 * looks at the notes, also when it can save.
 */
export class UsedCodes {
  readonly #deps: Deps;
  readonly #noted: Limiter;
  readonly #owed = new Map<string, Owed>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#noted = deps.limitStore.limiter({
      keyPrefix: 'used-code',
      points: 1,
      duration: NOTED_S,
    });
  }

  /** @returns whether it was unused until now; exactly one of any number of callers gets true */
  async use(
    signIn: Named,
    { hasPlaintext, savingPaused }: { hasPlaintext: boolean; savingPaused: boolean },
  ): Promise<boolean> {
    if (this.#owed.has(signIn.id)) return false;
    if (!(await isLeft(this.#noted.consume(signIn.id)))) return false;
    const now = this.#deps.clock.now();
    if (!savingPaused) {
      try {
        return await this.#deps.database.write((writer) => burn(writer, signIn, now, hasPlaintext));
      } catch (error) {
        if (!(error instanceof PlatformError) || error.key !== 'db.writes_paused') {
          // Nothing was given for the code.
          await this.#noted.delete(signIn.id);
          throw error;
        }
      }
    }
    this.#owe(signIn, now);
    return true;
  }

  /** Ends the token of a sign-in whose code was shown again; the company's audit log tells of it. */
  async revoke(signIn: Named, { savingPaused }: { savingPaused: boolean }): Promise<void> {
    const now = this.#deps.clock.now();
    const owed = this.#owed.get(signIn.id);
    if (owed !== undefined) owed.revoked = true;
    if (!savingPaused) {
      try {
        return await this.#deps.database.write((writer) => this.#end(writer, signIn, now));
      } catch (error) {
        if (!(error instanceof PlatformError) || error.key !== 'db.writes_paused') throw error;
      }
    }
    this.#owe(signIn, now).revoked = true;
  }

  /** Whether a sign-in was ended and that is not saved yet. */
  isRevoked(id: string): boolean {
    return this.#owed.get(id)?.revoked === true;
  }

  /** Saves what is owed. */
  async settle(): Promise<void> {
    const now = this.#deps.clock.now();
    for (const [id, owed] of [...this.#owed]) {
      if (owed.until > now) {
        await this.#deps.database.write(async (writer) => {
          await burn(writer, owed, owed.usedAt, true);
          if (owed.revoked) await this.#end(writer, owed, now);
        });
      }
      this.#owed.delete(id);
    }
  }

  async #end(writer: Writer, signIn: Named, now: number): Promise<void> {
    if (!(await revoke(writer, signIn, now))) return;
    await this.#deps.audit.record(writer, {
      companyId: signIn.company_id,
      actor: { kind: 'platform', id: '' },
      action: 'oauth_app.code_reused',
      target: signIn.client_id,
      details: { sign_in_id: signIn.id },
    });
  }

  #owe(signIn: Named, usedAt: number): Owed {
    const known = this.#owed.get(signIn.id);
    if (known !== undefined) return known;
    const until = usedAt + (limits.signInCodeSeconds + limits.accessTokenSeconds) * 1000;
    const { company_id, id, client_id } = signIn;
    const owed: Owed = { company_id, id, client_id, usedAt, revoked: false, until };
    this.#owed.set(signIn.id, owed);
    return owed;
  }
}
