import type { AdminMove, AdminRegion, MigrateRegionRequest, RegionMigration } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { PortalPrincipal, Reauthentication } from '../../companies/index.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Actor, Maintenance } from '../../operations/index.ts';
import { companiesByRegion, companyById } from './company-store.ts';
import type { CompanyMoves } from './moves.ts';
import { moveRoutes, regionMigrationRoutes } from './routes.ts';

/** The routes about moves on a platform with one region: there is nowhere to move to. */
export function createOneRegionMoves(
  core: Core,
  needs: { reauthentication: Reauthentication; maintenance: Pick<Maintenance, 'state'> },
): Domain {
  const moves = new OneRegionMoves({ ...core, ...needs });
  return {
    routes(app) {
      regionMigrationRoutes(app, { moves });
      if (core.config.operatorToken !== undefined) moveRoutes(app, { moves });
    },
  };
}

type Deps = Pick<Core, 'database' | 'regions'> & {
  readonly reauthentication: Reauthentication;
  readonly maintenance: Pick<Maintenance, 'state'>;
};

class OneRegionMoves implements CompanyMoves {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} moves.region_unknown, admin.company_not_found, moves.same_region */
  async start(companyId: string, region: string): Promise<AdminMove> {
    return this.#refuse(companyId, region);
  }

  /** @throws {PlatformError} as `start`, and those of `Reauthentication.prove` */
  async migrate(
    caller: PortalPrincipal,
    { region, ...proof }: MigrateRegionRequest,
    actor: Actor,
  ): Promise<RegionMigration> {
    await this.#deps.reauthentication.prove(
      caller,
      'POST /api/profile/migrate-region',
      proof,
      actor.source ?? '',
    );
    return this.#refuse(caller.companyId, region);
  }

  async list(): Promise<{ total: number; items: AdminMove[] }> {
    return { total: 0, items: [] };
  }

  /** @throws {PlatformError} moves.not_found */
  async get(): Promise<AdminMove> {
    throw new PlatformError('moves.not_found');
  }

  /** @throws {PlatformError} moves.not_found */
  async undo(): Promise<AdminMove> {
    throw new PlatformError('moves.not_found');
  }

  async ofCompany(): Promise<null> {
    return null;
  }

  async regions(): Promise<{ regions: AdminRegion[] }> {
    const { database, maintenance, regions } = this.#deps;
    const [counted] = await companiesByRegion(database);
    const name = regions.own;
    return {
      regions: [
        {
          name,
          api_url: regions.apiUrl(name) ?? '',
          own: true,
          status: maintenance.state ?? 'ok',
          companies: counted?.companies ?? 0,
        },
      ],
    };
  }

  async #refuse(companyId: string, region: string): Promise<never> {
    if (!this.#deps.regions.has(region)) throw new PlatformError('moves.region_unknown');
    const company = await companyById(this.#deps.database.reader, companyId);
    throw new PlatformError(company === undefined ? 'admin.company_not_found' : 'moves.same_region');
  }
}
