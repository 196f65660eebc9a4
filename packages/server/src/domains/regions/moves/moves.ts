import type { AdminMove, AdminRegion, MigrateRegionRequest, RegionMigration } from '@symbolon/protocol';
import { refuseBase } from '../../../access/routing.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { lock } from '../../../db/database.ts';
import type { PortalPrincipal, Reauthentication } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Maintenance, OperatorActs } from '../../operations/index.ts';
import { waitingFor } from '../messages/waiting.ts';
import { companiesByRegion, companyById, isBeingDeleted } from './company-store.ts';
import { insertMove, lastMoveOf, moveById, movePage, requestedMove, wantUndo } from './store.ts';
import type { CompanyMoveRow } from './tables.ts';
import { isArriving, lastArrivalOf } from './target-store.ts';

/** The states before the destination is asked to take over. */
const UNDOABLE: readonly CompanyMoveRow['state'][] = ['copying', 'holding', 'held', 'undoing'];

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'regions' | 'timers'> {
  /** What another region says of itself. */
  readonly statusOf: (region: string) => Promise<AdminRegion['status']>;
  readonly maintenance: Pick<Maintenance, 'state'>;
  readonly reauthentication: Reauthentication;
  readonly acts: OperatorActs;
}

/** Starts, lists and undoes moves; the work is done by `MoveSource`. With one region there is nowhere to move to. */
export class Moves {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Starts a move for an operator.
   * @throws {PlatformError} admin.company_not_found, region.rebase_required for a company at home elsewhere,
   *   moves.region_unknown, moves.same_region, moves.under_way, account.deletion_pending
   */
  async start(companyId: string, region: string, source: string): Promise<AdminMove> {
    const actor: Actor = { kind: 'operator', id: '' };
    return this.#toAdmin(await this.#begin({ companyId, region, by: 'operator', actor, source }));
  }

  /**
   * Starts a move for an owner of the company.
   * @throws {PlatformError} as `start`, and those of `Reauthentication.prove`
   */
  async migrate(
    caller: PortalPrincipal,
    { region, ...proof }: MigrateRegionRequest,
    actor: Actor,
  ): Promise<RegionMigration> {
    const source = actor.source ?? '';
    await this.#deps.reauthentication.prove(caller, 'POST /api/profile/migrate-region', proof, source);
    const { companyId } = caller;
    return this.#toCompany(await this.#begin({ companyId, region, by: 'portal', actor, source }));
  }

  async #begin(asked: {
    companyId: string;
    region: string;
    by: CompanyMoveRow['asked_by'];
    actor: Actor;
    source: string;
  }): Promise<CompanyMoveRow> {
    const { companyId, region, by, actor, source } = asked;
    if (!this.#deps.regions.has(region)) throw new PlatformError('moves.region_unknown');
    const now = this.#deps.clock.now();
    const row = requestedMove({ id: this.#deps.ids.uuid(), companyId, region, by, now });
    return this.#deps.database.write(async (writer) => {
      await lock(this.#deps.database.engine, writer, 'companies', [companyId]);
      const company = await companyById(writer, companyId);
      if (company === undefined) throw new PlatformError('admin.company_not_found');
      if (company.region !== null) {
        refuseBase(this.#deps.regions, company.region);
        throw new PlatformError('admin.company_not_found');
      }
      if (region === this.#deps.regions.own) throw new PlatformError('moves.same_region');
      if (await isBeingDeleted(writer, companyId)) throw new PlatformError('account.deletion_pending');
      if (await isArriving(writer, companyId)) throw new PlatformError('moves.under_way');
      if (!(await insertMove(writer, row))) throw new PlatformError('moves.under_way');
      const details = { to: region, move: row.id };
      await this.#deps.acts.record(writer, {
        act: 'company.move_asked',
        subject: companyId,
        details,
        source,
        actor,
      });
      return row;
    });
  }

  /** Moves away from this region, newest first. */
  async list(page: { limit: number; offset: number }): Promise<{ total: number; items: AdminMove[] }> {
    const { total, rows } = await movePage(this.#deps.database, page);
    return { total, items: rows.map((row) => this.#toAdmin(row)) };
  }

  /** @throws {PlatformError} moves.not_found */
  async get(id: string): Promise<AdminMove> {
    const row = await moveById(this.#deps.database.reader, id);
    if (row === undefined) throw new PlatformError('moves.not_found');
    return this.#toAdmin(row);
  }

  /** @throws {PlatformError} moves.not_found, moves.past_undo */
  async undo(id: string, source: string): Promise<AdminMove> {
    return this.#deps.database.write(async (writer) => {
      const row = await moveById(writer, id);
      if (row === undefined) throw new PlatformError('moves.not_found');
      const wanted = await wantUndo(writer, id, UNDOABLE, this.#deps.clock.now());
      if (wanted === undefined) throw new PlatformError('moves.past_undo');
      await this.#deps.acts.record(writer, {
        act: 'company.move_undo_asked',
        subject: row.company_id,
        details: { move: id },
        source,
      });
      return this.#toAdmin(wanted);
    });
  }

  /** The current or last move of a company, in either direction. */
  async ofCompany(companyId: string): Promise<RegionMigration | null> {
    const { reader } = this.#deps.database;
    const away = await lastMoveOf(reader, companyId);
    const here = await lastArrivalOf(reader, companyId);
    if (here !== undefined && (away === undefined || here.created_at > away.created_at)) {
      return {
        id: here.id,
        from: here.from_region,
        to: this.#deps.regions.own,
        // The caller has a session here, so the company is at home here.
        status: here.state === 'undone' ? 'undone' : 'done',
        started_at: isoTime(here.created_at),
        ended_at: isoTime(here.updated_at),
      };
    }
    return away === undefined ? null : this.#toCompany(away);
  }

  /** All regions, and whether they answer. */
  async regions(): Promise<{ regions: AdminRegion[] }> {
    const counted = await companiesByRegion(this.#deps.database);
    const regions = await Promise.all(
      this.#deps.regions.names.map(async (name): Promise<AdminRegion> => {
        const own = name === this.#deps.regions.own;
        const { messages, since } = await waitingFor(this.#deps.database.reader, name);
        return {
          name,
          api_url: this.#deps.regions.apiUrl(name) ?? '',
          own,
          status: own ? (this.#deps.maintenance.state ?? 'ok') : await this.#deps.statusOf(name),
          companies: counted.find(({ region }) => region === (own ? null : name))?.companies ?? 0,
          messages: { waiting: messages, oldest_at: timeOf(since) },
        };
      }),
    );
    return { regions };
  }

  #toAdmin(row: CompanyMoveRow): AdminMove {
    return {
      id: row.id,
      company_user_id: row.company_id,
      from: this.#deps.regions.own,
      to: row.to_region,
      state: row.state,
      asked_by: row.asked_by,
      reason: row.reason,
      attempts: row.attempts,
      retry_at: row.finished_at === null ? timeOf(row.retry_at) : null,
      rows_copied: row.rows_copied,
      held_ms: row.held_ms,
      started_at: isoTime(row.created_at),
      switched_at: timeOf(row.switched_at),
      finished_at: timeOf(row.finished_at),
    };
  }

  #toCompany(row: CompanyMoveRow): RegionMigration {
    const ended = row.switched_at ?? row.finished_at;
    return {
      id: row.id,
      from: this.#deps.regions.own,
      to: row.to_region,
      status: row.state === 'undone' ? 'undone' : row.switched_at === null ? 'under_way' : 'done',
      started_at: isoTime(row.created_at),
      ended_at: timeOf(ended),
    };
  }
}

const timeOf = (at: number | null) => (at === null ? null : isoTime(at));
