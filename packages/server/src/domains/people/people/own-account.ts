import type {
  ChangePersonRequest,
  CodeMailed,
  ConfirmRecoveryCodeRequest,
  EmailChangeRequest,
  PersonEvent,
  RecoveryState,
} from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { updateBy } from '../../../db/by-key.ts';
import { lock } from '../../../db/database.ts';
import type { Replication } from '../../../events/replication.ts';
import type { Credentials, EmailChange, PersonHistory } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import type { Entrance } from './people.ts';
import { personById } from './store.ts';
import type { PersonRow } from './tables.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly credentials: Credentials<PersonRow>;
  readonly personHistory: PersonHistory;
  readonly personEmail: EmailChange<PersonRow>;
  readonly replication: Replication;
}

/** What a person who is signed in reads and changes of the own account, beside what signs in to it. */
export class OwnAccount {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** When the recovery code was made, and when the person was last seen to have it. @throws {PlatformError} auth.invalid */
  async recovery(personId: string): Promise<RecoveryState> {
    return this.#deps.personHistory.recovery(personId, (await this.#person(personId)).created_at);
  }

  /**
   * Notes that the person still has the recovery code.
   * @throws {PlatformError} account.key_invalid, account.recovery_invalid, auth.throttled
   */
  async confirmRecoveryCode(
    personId: string,
    { recovery_secret }: ConfirmRecoveryCodeRequest,
    { source, userAgent }: Entrance,
  ): Promise<void> {
    const { email } = await this.#person(personId);
    const proven = await this.#deps.credentials.proveRecovery({ email, recovery_secret }, source);
    await this.#deps.database.write(async (writer) => {
      await lock(this.#deps.database.engine, writer, 'persons', [personId]);
      const now = await personById(writer, personId);
      // Another request replaced it after this one was checked.
      if (now?.recovery_hash !== proven.recovery_hash) throw new PlatformError('account.recovery_invalid');
      await this.#deps.personHistory.recoveryCodeConfirmed(writer, personId, proven.created_at);
    });
    await this.#deps.personHistory.note(personId, 'recovery_code_confirmed', userAgent);
  }

  /** What happened at the account, the latest first. */
  history(personId: string): Promise<PersonEvent[]> {
    return this.#deps.personHistory.list(personId);
  }

  /** Changes the name under which companies know the person. @throws {PlatformError} auth.invalid when the person is gone */
  async change(personId: string, { display_name }: ChangePersonRequest, userAgent: string): Promise<void> {
    await this.#deps.database.write(async (writer) => {
      await lock(this.#deps.database.engine, writer, 'persons', [personId]);
      await updateBy(writer, 'persons', { id: personId }, { display_name: display_name.trim() });
      await this.#deps.replication.personChanged(writer, personId);
    });
    await this.#deps.personHistory.note(personId, 'name_changed', userAgent);
  }

  /** Mails a code to another address. @throws {PlatformError} those of `EmailChange.start` */
  startEmailChange(personId: string, request: EmailChangeRequest, source: string): Promise<CodeMailed> {
    return this.#deps.personEmail.start({ kind: 'person', personId }, request, source);
  }

  /** @throws {PlatformError} account.code_invalid, account.email_taken */
  async confirmEmailChange(personId: string, code: string, { source, userAgent }: Entrance): Promise<void> {
    await this.#deps.personEmail.confirm({ kind: 'person', personId }, code, source);
    await this.#deps.personHistory.note(personId, 'email_changed', userAgent);
  }

  async #person(personId: string): Promise<PersonRow> {
    const row = await personById(this.#deps.database.reader, personId);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return row;
  }
}
