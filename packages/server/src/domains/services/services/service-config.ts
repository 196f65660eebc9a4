import type { FieldTypeRegistry } from '@symbolon/field-types';
import {
  AccountEvent,
  PLUGIN_TYPE,
  type PublishRequestFieldsRequest,
  type PublishShareFieldsRequest,
  type RequestField,
  type RequestFieldConfig,
  type RequestFieldInput,
  type RowPlugin,
  type ShareField,
  type ShareFieldConfig,
} from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { type Reader, writeLocked } from '../../../db/database.ts';
import { behindEarlierAct } from '../../../db/paused-writes.ts';
import { flag } from '../../../db/tables.ts';
import type { Issue } from '../../../http/validation.ts';
import type { Core } from '../../domain.ts';
import type { ServiceLogs } from '../../operations/index.ts';
import type { PluginSpecs } from '../../plugins/index.ts';
import type { ServiceCustomers } from '../ports.ts';
import { NO_PLUGIN, type PluginColumns, pluginsOfRows, withPluginDefaults } from './plugin-rows.ts';
import type { ServiceRef, Services } from './services.ts';
import {
  replaceRequestFields,
  replaceShareFields,
  requestRows,
  shareFieldsOf,
  updateService,
} from './store.ts';
import type { RequestFieldRow, ServiceRow, ShareFieldRow } from './tables.ts';

/** Seconds after which a publish that had to wait for an earlier one may be repeated. */
const TURNING_RETRY_S = 10;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets'> {
  readonly services: Services;
  readonly customers: ServiceCustomers;
  readonly registry: FieldTypeRegistry;
  readonly pluginSpecs: PluginSpecs;
  readonly logs: ServiceLogs;
}

/**
 * What a service asks for and what it shows about itself. Each is published whole, as one versioned act: a publish names
 * the version it was made from, and one made from an older version changes nothing (wire 4.6).
 */
export class ServiceConfig {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} services.not_found */
  async requestFields(ref: ServiceRef): Promise<RequestFieldConfig> {
    const { reader } = this.#deps.database;
    return this.#requestConfig(
      await this.#deps.services.require(reader, ref),
      await requestRows(reader, ref.serviceId),
    );
  }

  /**
   * Publishes the request rows. Rows are identified by their slug: one that stays keeps its id and its answers, one that
   * is left out goes with its answers, a new one becomes a pending consent of every connection that stands. However many
   * connections there are, the publish writes rows of the service alone.
   * @throws {PlatformError} services.not_found, services.request_fields_invalid, services.config_conflict, service.busy
   */
  async publishRequestFields(
    ref: ServiceRef,
    request: PublishRequestFieldsRequest,
  ): Promise<RequestFieldConfig> {
    const inputs = request.request_fields.map(withPluginDefaults);
    return writeLocked(this.#deps.database, 'services', ref.serviceId, async (writer) => {
      const service = await this.#deps.services.require(writer, ref);
      if (request.config_token !== this.#token('request', service))
        throw new PlatformError('services.config_conflict');
      const present = new Map((await requestRows(writer, ref.serviceId)).map((row) => [row.slug, row]));
      refuseIssues('services.request_fields_invalid', this.#requestIssues(inputs, present));
      const plugins = await pluginsOfRows(this.#deps.pluginSpecs, writer, ref, inputs, present);

      const version = service.request_version + 1;
      const connections = service.connection_count;
      const rows = inputs.map((input, position) => {
        const before = present.get(input.slug);
        const staying =
          before === undefined ? this.#newRow(version, input) : turned(before, input, connections);
        return requestRow(ref, input, position, { ...staying, ...NO_PLUGIN, ...plugins.get(input.slug) });
      });
      const slugs = new Set(rows.map((row) => row.slug));
      const removed = [...present.values()].filter((row) => !slugs.has(row.slug));
      const added = rows.filter((row) => !present.has(row.slug));
      const kept = rows.filter((row) => present.has(row.slug));
      const published = { connections, before: [...present.values()], removed, kept, added };
      await replaceRequestFields(
        writer,
        ref,
        rows,
        removed.map((row) => row.id),
      );
      await updateService(writer, ref.serviceId, {
        request_version: version,
        ...(added.length > 0 ? { consent_id: this.#deps.ids.uuid(), asked_version: version } : {}),
        updated_at: this.#deps.clock.now(),
      });
      await this.#deps.customers.published(writer, ref, published);
      await this.#deps.logs.write(writer, {
        ...ref,
        type: 'config',
        message: 'Request fields published',
        metadata: { version, added: added.map((row) => row.slug), removed: removed.map((row) => row.slug) },
      });
      return this.#requestConfig({ ...service, request_version: version }, rows);
    });
  }

  /** @throws {PlatformError} services.not_found */
  async shareFields(ref: ServiceRef): Promise<ShareFieldConfig> {
    const { reader } = this.#deps.database;
    return this.#shareConfig(
      await this.#deps.services.require(reader, ref),
      await shareFieldsOf(reader, ref.serviceId),
    );
  }

  /** @throws {PlatformError} services.not_found, services.share_fields_invalid, services.config_conflict */
  async publishShareFields(ref: ServiceRef, request: PublishShareFieldsRequest): Promise<ShareFieldConfig> {
    return writeLocked(this.#deps.database, 'services', ref.serviceId, async (writer) => {
      const service = await this.#deps.services.require(writer, ref);
      if (request.config_token !== this.#token('share', service))
        throw new PlatformError('services.config_conflict');
      refuseIssues('services.share_fields_invalid', this.#shareIssues(request.share_fields));
      const rows = request.share_fields.map((input, position) => ({
        company_id: ref.companyId,
        service_id: ref.serviceId,
        ...input,
        position,
      }));
      await replaceShareFields(writer, ref.serviceId, rows);
      const version = service.share_version + 1;
      await updateService(writer, ref.serviceId, {
        share_version: version,
        updated_at: this.#deps.clock.now(),
      });
      await this.#deps.logs.write(writer, {
        ...ref,
        type: 'config',
        message: 'Share fields published',
        metadata: { version },
      });
      await this.#deps.customers.tellCompanies(writer, ref, AccountEvent.shareChanged);
      return this.#shareConfig({ ...service, share_version: version }, rows);
    });
  }

  /** What stays of a row through all publishes. It is asked of those who are connected and in its first audience. */
  #newRow(version: number, { audience = 'both' }: RequestFieldInput): StayingPart {
    return {
      id: this.#deps.ids.uuid(),
      people_since: audience === 'company' ? null : version,
      companies_since: audience === 'person' ? null : version,
      asked_at: this.#deps.clock.now(),
      turning: 0,
    };
  }

  #requestConfig(service: ServiceRow, rows: readonly RequestFieldRow[]): RequestFieldConfig {
    return {
      config_token: this.#token('request', service),
      version: service.request_version,
      request_fields: rows.map(toRequestField),
    };
  }

  #shareConfig(service: ServiceRow, rows: readonly ShareFieldRow[]): ShareFieldConfig {
    return {
      config_token: this.#token('share', service),
      version: service.share_version,
      share_fields: rows.map(toShareField),
    };
  }

  /** Keyed hash of the version that was read: the next one cannot be guessed. */
  #token(kind: 'request' | 'share', service: ServiceRow): string {
    const version = kind === 'request' ? service.request_version : service.share_version;
    return this.#deps.secrets.hash(JSON.stringify(['config token', kind, service.id, version])).slice(0, 32);
  }

  #requestIssues(
    inputs: readonly RequestFieldInput[],
    present: ReadonlyMap<string, RequestFieldRow>,
  ): Issue[] {
    const seen = new Set<string>();
    return inputs.flatMap((input, index) => {
      const at = (member: string, message: string): Issue => ({
        path: `/request_fields/${index}/${member}`,
        message,
      });
      const issues: Issue[] = [];
      if (seen.has(input.slug)) issues.push(at('slug', 'stands twice'));
      seen.add(input.slug);
      const before = present.get(input.slug);
      if (input.type !== PLUGIN_TYPE && !this.#deps.registry.has(input.type)) {
        issues.push(at('type', 'is not a field type'));
      } else if (input.type !== PLUGIN_TYPE && !this.#deps.registry.isRequestable(input.type)) {
        issues.push(at('type', 'is a choice without options and cannot be requested'));
      } else if (before !== undefined && before.type !== input.type) {
        issues.push(at('type', `is ${before.type} on the published row; use another slug for another type`));
      }
      if (input.one_time === true && input.mandatory_connected === true) {
        issues.push(at('mandatory_connected', 'cannot be asked of a one-time answer'));
      }
      if (input.verified !== true && (input.verified_max_age_days ?? null) !== null) {
        issues.push(at('verified_max_age_days', 'needs verified'));
      }
      return issues;
    });
  }

  #shareIssues(inputs: PublishShareFieldsRequest['share_fields']): Issue[] {
    const seen = new Set<string>();
    return inputs.flatMap((input, index) => {
      const at = (member: string, message: string): Issue => ({
        path: `/share_fields/${index}/${member}`,
        message,
      });
      const issues: Issue[] = [];
      if (seen.has(input.slug)) issues.push(at('slug', 'stands twice'));
      seen.add(input.slug);
      if (!this.#deps.registry.has(input.type)) return [...issues, at('type', 'is not a field type')];
      if (this.#deps.registry.isBinary(input.type))
        return [...issues, at('type', 'is a file type; share photos instead')];
      const result = this.#deps.registry.validate(input.type, input.value);
      if (!result.valid) issues.push(at(`value${result.path}`, result.message));
      return issues;
    });
  }
}

function refuseIssues(
  key: 'services.request_fields_invalid' | 'services.share_fields_invalid',
  issues: readonly Issue[],
): void {
  if (issues.length > 0) throw new PlatformError(key, { details: { issues } });
}

type StayingPart = Pick<RequestFieldRow, 'id' | 'people_since' | 'companies_since' | 'asked_at' | 'turning'>;

/**
 * A row that turns one-time is marked until its live answers are snapshots. Turned back in between, those that are still live
 * would follow their fields again.
 * @throws {PlatformError} service.busy
 */
function turned(before: RequestFieldRow, input: RequestFieldInput, connections: number): StayingPart {
  if (input.one_time !== true) {
    if (before.turning === 1)
      throw behindEarlierAct(
        TURNING_RETRY_S,
        `Live answers to ${before.slug} are still being made snapshots. Publish again after the time in Retry-After.`,
      );
    return before;
  }
  return before.one_time === 1 || connections === 0 ? before : { ...before, turning: 1 };
}

function requestRow(
  ref: ServiceRef,
  input: RequestFieldInput,
  position: number,
  { id, people_since, companies_since, asked_at, turning, plugin_id, plugin }: StayingPart & PluginColumns,
): RequestFieldRow {
  return {
    company_id: ref.companyId,
    service_id: ref.serviceId,
    id,
    slug: input.slug,
    label: input.label,
    type: input.type,
    one_time: flag(input.one_time ?? false),
    mandatory_provide: flag(input.mandatory_provide ?? false),
    mandatory_connected: flag(input.mandatory_connected ?? false),
    verified: flag(input.verified ?? false),
    verified_max_age_days: input.verified_max_age_days ?? null,
    audience: input.audience ?? 'both',
    reason: input.reason ?? null,
    position,
    people_since,
    companies_since,
    asked_at,
    turning,
    plugin_id,
    plugin,
  };
}

/** The wire's form of a request row. */
export function toRequestField(row: RequestFieldRow): RequestField {
  return {
    id: row.id,
    slug: row.slug,
    label: row.label,
    type: row.type,
    one_time: row.one_time === 1,
    mandatory_provide: row.mandatory_provide === 1,
    mandatory_connected: row.mandatory_connected === 1,
    verified: row.verified === 1,
    verified_max_age_days: row.verified_max_age_days,
    audience: row.audience,
    ...reasonOf(row),
    ...(row.plugin_id === null || row.plugin === null
      ? {}
      : { plugin: { plugin_id: row.plugin_id, ...(JSON.parse(row.plugin) as RowPlugin) } }),
  };
}

/** Why a row is asked, as a member that is left out where the company does not say it. */
export const reasonOf = ({ reason }: Pick<RequestFieldRow, 'reason'>): Pick<RequestField, 'reason'> =>
  reason === null ? {} : { reason };

/** What a service shows about itself, for other features. */
export async function sharedBy(reader: Reader, serviceId: string) {
  return (await shareFieldsOf(reader, serviceId)).map(toShareField);
}

function toShareField({ slug, label, type, value }: ShareFieldRow): ShareField {
  return { slug, label, type, value };
}
