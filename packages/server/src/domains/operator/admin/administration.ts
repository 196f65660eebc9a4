import {
  type AdminCompany,
  type AdminPerson,
  type CompanyLevel,
  companyLevels,
  type Statistics,
} from '@symbolon/protocol';
import { refuseBase } from '../../../access/routing.ts';
import type { UniqueNames } from '../../../access/unique-names.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type EventLoopDelay, eventLoop } from '../../../core/event-loop.ts';
import type { RequestNumbers } from '../../../core/request-tally.ts';
import { version } from '../../../core/version.ts';
import { lock, type Writer } from '../../../db/database.ts';
import type { Paging } from '../../../db/page.ts';
import type { Replication } from '../../../events/replication.ts';
import { CustomShareCodes } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import { type CountedTable, countOf, countsByKey, type OperatorActs } from '../../operations/index.ts';
import type { Processes } from '../processes/index.ts';
import { idPage, SEARCHED } from './search.ts';
import {
  type ListedCompany,
  type ListedPerson,
  listedCompanies,
  listedCompany,
  listedPeople,
  listedPerson,
  oldestChange,
  oldestQueued,
  setLevel,
} from './store.ts';

/** Rows that a page may skip. */
const OFFSET_MOST = 10_000;

interface Search extends Paging {
  readonly after?: string | undefined;
  readonly search?: string | undefined;
}

interface Deps extends Pick<Core, 'database' | 'instruments' | 'regions'> {
  readonly customShareCodes: CustomShareCodes;
  readonly names: UniqueNames;
  readonly acts: OperatorActs;
  readonly replication: Replication;
  readonly processes: Pick<Processes, 'list'>;
}

/** What an operator sees and sets of companies and people; all of it is on record. */
export class Administration {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} request.invalid for an offset that only a walk over all rows before it would find */
  async companies({ search, ...page }: Search): Promise<{ total: number; items: AdminCompany[] }> {
    refuseFar(page);
    const { engine, reader } = this.#deps.database;
    const { total, ids } = await idPage(engine, reader, SEARCHED.companies, search || undefined, page);
    const rows = await listedCompanies(engine, reader, ids);
    return { total, items: rows.map((row) => toCompany(row, this.#deps.regions.own)) };
  }

  /** @throws {PlatformError} admin.company_not_found */
  async company(id: string): Promise<AdminCompany> {
    const row = await listedCompany(this.#deps.database.reader, id);
    if (row === undefined) throw new PlatformError('admin.company_not_found');
    return toCompany(row, this.#deps.regions.own);
  }

  /** @throws {PlatformError} admin.company_not_found, region.rebase_required unless the company is at home here */
  async setLevel(id: string, level: CompanyLevel, source: string): Promise<AdminCompany> {
    return this.#deps.database.write(async (writer) => {
      await lock(this.#deps.database.engine, writer, 'companies', [id]);
      const row = await listedCompany(writer, id);
      if (row === undefined) throw new PlatformError('admin.company_not_found');
      if (row.region !== null) refuseBase(this.#deps.regions, row.region);
      if (row.level !== level) {
        const details = { from: row.level, to: level };
        await setLevel(writer, id, level);
        await this.#deps.acts.record(writer, {
          act: 'company.level_changed',
          subject: id,
          details,
          source,
          actor: { kind: 'platform', id: '' },
        });
        await this.#deps.replication.companyChanged(writer, id);
      }
      return toCompany({ ...row, level }, this.#deps.regions.own);
    });
  }

  async people({ search, ...page }: Search): Promise<{ total: number; items: AdminPerson[] }> {
    refuseFar(page);
    const { engine, reader } = this.#deps.database;
    const { total, ids } = await idPage(engine, reader, SEARCHED.persons, search || undefined, page);
    const rows = await listedPeople(engine, reader, ids);
    const codes = await this.#deps.customShareCodes.of(reader, ids);
    return { total, items: rows.map((row) => toPerson(row, this.#deps.regions.own, codes.get(row.id))) };
  }

  /**
   * Gives a person a share code of the operator's choice.
   * @throws {PlatformError} admin.person_not_found, admin.share_code_invalid, admin.share_code_taken,
   *   admin.share_codes_limit, region.rebase_required unless the person is at home here
   */
  async addShareCode(personId: string, code: string, source: string): Promise<AdminPerson> {
    await this.#refusePersonElsewhere(personId);
    const taken = () => new PlatformError('admin.share_code_taken');
    return this.#deps.names.withClaim(
      { kind: 'person', id: personId },
      CustomShareCodes.isOne(code) ? [{ kind: 'share_code', name: code }] : [],
      taken,
      () =>
        this.#changeCodes(personId, async (writer) => {
          await this.#deps.customShareCodes.add(writer, personId, code);
          await this.#deps.acts.record(writer, {
            act: 'person.share_code_added',
            subject: personId,
            details: { code },
            source,
          });
        }),
    );
  }

  /**
   * @throws {PlatformError} admin.person_not_found, admin.share_code_not_found, region.rebase_required unless the person is
   *   at home here
   */
  async removeShareCode(personId: string, code: string, source: string): Promise<AdminPerson> {
    await this.#refusePersonElsewhere(personId);
    const person = await this.#changeCodes(personId, async (writer) => {
      await this.#deps.customShareCodes.remove(writer, personId, code);
      await this.#deps.acts.record(writer, {
        act: 'person.share_code_removed',
        subject: personId,
        details: { code },
        source,
      });
    });
    await this.#deps.names.release({ kind: 'person', id: personId }, [{ kind: 'share_code', name: code }]);
    return person;
  }

  async #changeCodes(personId: string, change: (writer: Writer) => Promise<void>): Promise<AdminPerson> {
    return this.#deps.database.write(async (writer) => {
      const row = await listedPerson(writer, personId);
      if (row === undefined) throw new PlatformError('admin.person_not_found');
      await change(writer);
      await this.#deps.replication.personChanged(writer, personId);
      return toPerson(
        row,
        this.#deps.regions.own,
        (await this.#deps.customShareCodes.of(writer, [personId])).get(personId),
      );
    });
  }

  async #refusePersonElsewhere(personId: string): Promise<void> {
    const row = await listedPerson(this.#deps.database.reader, personId);
    if (row !== undefined && row.region !== null) refuseBase(this.#deps.regions, row.region);
  }

  async statistics(): Promise<Statistics> {
    const { reader, engine } = this.#deps.database;
    const count = (table: CountedTable, key?: string) => countOf(engine, reader, table, key);
    const companies = await countsByKey(engine, reader, 'companies');
    // Those at home here.
    const byLevel = companyLevels.map((level) => [level, companies.get(` ${level}`) ?? 0] as const);
    const webhooks = await countsByKey(engine, reader, 'webhooks');
    const queues = await countsByKey(engine, reader, 'webhook_events');
    return {
      companies: {
        ...(Object.fromEntries(byLevel) as Record<CompanyLevel, number>),
        total: sumOf(byLevel.map(([, of]) => of)),
      },
      persons: await count('persons', ''),
      services: await count('services'),
      connections: await count('connections'),
      clients: await count('clients'),
      feed: toQueue({ events: await count('changes'), oldest: await oldestChange(reader) }),
      webhooks: {
        total: sumOf(webhooks.values()),
        bad: webhooks.get('bad') ?? 0,
        queue: toQueue({
          events: sumOf(queues.values()),
          oldest: await oldestQueued(engine, reader, [...queues.keys()]),
        }),
      },
      requests: toRequests(this.#deps.instruments.requests.read()),
      event_loop: toMilliseconds(eventLoop.read()),
      certificates: { seal: this.#certificateEnd('seal'), tls: this.#certificateEnd('tls') },
      processes: await this.#deps.processes.list(),
      engine,
      version,
    };
  }

  #certificateEnd(name: 'seal' | 'tls'): string | null {
    const end = this.#deps.instruments.certificateEnd(name);
    return end === undefined ? null : isoTime(end);
  }
}

function toRequests({ p99, ...counted }: RequestNumbers) {
  return { ...counted, p99_ms: p99 === undefined ? null : Math.ceil(p99) };
}

function toMilliseconds({ max, p99 }: EventLoopDelay) {
  return { max_ms: Math.round(max), p99_ms: Math.round(p99) };
}

function refuseFar({ offset }: Paging): void {
  if (offset <= OFFSET_MOST) return;
  const message = `at most ${OFFSET_MOST}: use after, with the id of the last row of the page before`;
  throw new PlatformError('request.invalid', { details: { issues: [{ path: '/offset', message }] } });
}

const sumOf = (numbers: Iterable<number>) => [...numbers].reduce((sum, of) => sum + of, 0);

function toQueue({ events, oldest }: { events: number; oldest: number | null }) {
  return { events, oldest_at: oldest === null ? null : isoTime(oldest) };
}

function toCompany(row: ListedCompany, ownRegion: string): AdminCompany {
  return {
    company_user_id: row.id,
    region: row.region ?? ownRegion,
    name: row.name,
    // Its address is known at its home alone.
    email: row.region === null ? row.email : '',
    company_code: row.code,
    level: row.level,
    services: row.services,
    connections: row.connections,
    created_at: isoTime(row.created_at),
  };
}

function toPerson(row: ListedPerson, ownRegion: string, customCodes: readonly string[] = []): AdminPerson {
  return {
    person_user_id: row.id,
    region: row.region ?? ownRegion,
    display_name: row.display_name,
    email: row.region === null ? row.email : '',
    share_code: row.share_code,
    custom_share_codes: [...customCodes],
    created_at: isoTime(row.created_at),
  };
}
