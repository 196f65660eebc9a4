import { type CompanyLevel, levelAtLeast, levelGates, type MessagingSuspension } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { type Reader, writeLocked } from '../../../db/database.ts';
import { flag } from '../../../db/tables.ts';
import type { Core } from '../../domain.ts';
import type { OperatorActs } from '../../operations/index.ts';
import { putSuspension, type StandingRow, standingOf } from './store.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly acts: OperatorActs;
}

/** Whether a company may exchange messages: by its level, and unless the operator has suspended it. */
export class MessagingStanding {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Gives the level of the company. @throws {PlatformError} messages.messaging_not_entitled, messages.messaging_suspended */
  async mayMessage(reader: Reader, companyId: string): Promise<CompanyLevel> {
    return refuseMessages(await standingOf(reader, companyId));
  }

  /** Gives the level of the company. @throws {PlatformError} what `mayMessage` does, and messages.broadcast_suspended */
  async mayBroadcast(reader: Reader, companyId: string): Promise<CompanyLevel> {
    const standing = await standingOf(reader, companyId);
    const level = refuseMessages(standing);
    if (standing?.broadcasts === 1) throw new PlatformError('messages.broadcast_suspended');
    return level;
  }

  /** @throws {PlatformError} admin.company_not_found */
  async view(companyId: string): Promise<MessagingSuspension> {
    return viewOf(await this.#listed(this.#deps.database.reader, companyId));
  }

  /** Suspends a company, or ends that. @throws {PlatformError} admin.company_not_found */
  async set(
    companyId: string,
    suspended: MessagingSuspension,
    { source }: { source: string },
  ): Promise<MessagingSuspension> {
    return writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      const before = viewOf(await this.#listed(writer, companyId));
      const { messages, broadcasts } = suspended;
      if (messages === before.messages && broadcasts === before.broadcasts) return before;
      await putSuspension(writer, {
        company_id: companyId,
        messages: flag(messages),
        broadcasts: flag(broadcasts),
      });
      await this.#deps.acts.record(writer, {
        act: 'company.messaging_changed',
        subject: companyId,
        details: { messages, broadcasts },
        source,
        actor: { kind: 'platform', id: '' },
      });
      return suspended;
    });
  }

  async #listed(reader: Reader, companyId: string): Promise<StandingRow> {
    const standing = await standingOf(reader, companyId);
    // Of a company of another region there is only a copy of what others see.
    if (standing === undefined || standing.region !== null)
      throw new PlatformError('admin.company_not_found');
    return standing;
  }
}

function refuseMessages(standing: StandingRow | undefined): CompanyLevel {
  if (standing === undefined || !levelAtLeast(standing.level, levelGates.messaging))
    throw new PlatformError('messages.messaging_not_entitled');
  if (standing.messages === 1) throw new PlatformError('messages.messaging_suspended');
  return standing.level;
}

const viewOf = ({ messages, broadcasts }: StandingRow): MessagingSuspension => ({
  messages: messages === 1,
  broadcasts: broadcasts === 1,
});
