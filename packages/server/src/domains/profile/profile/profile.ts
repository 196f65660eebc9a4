import type { Profile } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { lock, type Reader } from '../../../db/database.ts';
import type { Replication } from '../../../events/replication.ts';
import { companyById, renameCompany } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import type { Photos } from '../photos/photos.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly photos: Photos;
  readonly audit: Audit;
  readonly replication: Replication;
}

/** How a company shows itself: its display name, which is the name it registered with until it changes it (wire 4.8). */
export class Profiles {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async get(companyId: string): Promise<Profile> {
    return this.#view(this.#deps.database.reader, companyId);
  }

  async rename(companyId: string, actor: Actor, displayName: string): Promise<Profile> {
    return this.#deps.database.write(async (writer) => {
      await lock(this.#deps.database.engine, writer, 'companies', [companyId]);
      await renameCompany(writer, companyId, displayName.trim());
      await this.#deps.audit.record(writer, {
        companyId,
        actor,
        action: 'profile.display_name_changed',
        target: companyId,
      });
      await this.#deps.replication.companyChanged(writer, companyId);
      return this.#view(writer, companyId);
    });
  }

  async #view(reader: Reader, companyId: string): Promise<Profile> {
    const row = await companyById(reader, companyId);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return {
      company_user_id: companyId,
      display_name: row.name,
      company_code: row.code,
      photo: await this.#deps.photos.profilePhoto(reader, companyId),
    };
  }
}
