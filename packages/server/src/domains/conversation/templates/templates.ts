import { limits, type ReplyTemplate, type ReplyTemplateRequest } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { deleteBy, rowBy, updateBy } from '../../../db/by-key.ts';
import { lock } from '../../../db/database.ts';
import { count } from '../../../db/rows.ts';
import type { Core } from '../../domain.ts';
import { checkService, type ServiceRef } from '../standing/service.ts';
import { insertTemplate, templatesOf } from './store.ts';
import type { ReplyTemplateRow } from './tables.ts';

const MISSING = 'messages.template_not_found';

/** Texts that the staff of a service sends again and again. */
export class ReplyTemplates {
  readonly #deps: Pick<Core, 'clock' | 'database' | 'ids'>;

  constructor(deps: Pick<Core, 'clock' | 'database' | 'ids'>) {
    this.#deps = deps;
  }

  /** By name. @throws {PlatformError} services.not_found */
  async list(service: ServiceRef): Promise<ReplyTemplate[]> {
    const { reader } = this.#deps.database;
    await checkService(reader, service);
    return (await templatesOf(reader, service).selectAll().orderBy('name').orderBy('id').execute()).map(
      toTemplate,
    );
  }

  /** @throws {PlatformError} services.not_found, messages.templates_limit */
  add(service: ServiceRef, { name, body }: ReplyTemplateRequest): Promise<ReplyTemplate> {
    const { clock, database, ids } = this.#deps;
    const { companyId, serviceId } = service;
    const row = {
      ...{ company_id: companyId, service_id: serviceId, id: ids.uuid() },
      ...{ name, body, updated_at: clock.now() },
    };
    return database.write(async (writer) => {
      await lock(database.engine, writer, 'services', [serviceId]);
      await checkService(writer, service);
      if ((await count(templatesOf(writer, service))) >= limits.replyTemplatesMost)
        throw new PlatformError('messages.templates_limit');
      await insertTemplate(writer, row);
      return toTemplate(row);
    });
  }

  /** @throws {PlatformError} messages.template_not_found */
  change(service: ServiceRef, id: string, { name, body }: ReplyTemplateRequest): Promise<ReplyTemplate> {
    const { clock, database } = this.#deps;
    const key = keyOf(service, id);
    return database.write(async (writer) => {
      await updateBy(writer, 'reply_templates', key, { name, body, updated_at: clock.now() });
      const row = await rowBy(writer, 'reply_templates', key);
      if (row === undefined) throw new PlatformError(MISSING);
      return toTemplate(row);
    });
  }

  /** @throws {PlatformError} messages.template_not_found */
  async delete(service: ServiceRef, id: string): Promise<void> {
    const key = keyOf(service, id);
    const isDeleted = await this.#deps.database.write((writer) => deleteBy(writer, 'reply_templates', key));
    if (!isDeleted) throw new PlatformError(MISSING);
  }
}

const keyOf = ({ companyId, serviceId }: ServiceRef, id: string) => ({
  ...{ company_id: companyId, service_id: serviceId, id },
});

const toTemplate = ({ id, name, body, updated_at }: ReplyTemplateRow): ReplyTemplate => ({
  ...{ id, name, body, updated_at: isoTime(updated_at) },
});
