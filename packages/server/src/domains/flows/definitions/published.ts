import { setImmediate } from 'node:timers/promises';
import { ownerTagsAmong, type PartyTags, partyTags } from '@symbolon/flows';
import type { CompanyFlow, CompanyFlowVersion, CompanyRequestRow, FlowDefinition } from '@symbolon/protocol';
import { LRUCache } from 'lru-cache';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type StoredFile, storedFile } from '../../../core/stored-file.ts';
import { WrittenJson } from '../../../core/written-json.ts';
import type { Reader } from '../../../db/database.ts';
import { businessCards } from '../../profile/index.ts';
import { requestRows } from '../../services/index.ts';
import type { FlowFieldRow } from './definition-text.ts';
import {
  assetOf,
  assetsOf,
  definitionOf,
  type FlowHead,
  type FlowRef,
  flowHead,
  latestFields,
  latestVersions,
  type ServiceRef,
  type VersionRef,
  versionHead,
} from './store.ts';
import type { FlowAssetHead, FlowAssetRow } from './tables.ts';
import { templateTags } from './template-tags.ts';

/** A published version of a flow that is there. */
export interface PublishedVersion {
  readonly flow: FlowHead;
  readonly version: number;
  readonly definition: FlowDefinition;
  readonly assets: readonly FlowAssetHead[];
}

/** All definitions that are held together, in characters of their JSON. */
const HELD_MOST = 32 * 2 ** 20;
/** All tags that are held together, in characters, and what a version without tags counts as. */
const TAGS_HELD = { most: 8 * 2 ** 20, least: 200 };

/** Published versions, for whoever reads, starts or runs them. They never change, so that those in use are held parsed. */
export class PublishedFlows {
  readonly #definitions = new LRUCache<
    string,
    { readonly definition: FlowDefinition; readonly size: number }
  >({
    maxSize: HELD_MOST,
    sizeCalculation: ({ size }) => size,
  });
  /** The same as answers have them: lists of runs have those of many. */
  readonly #texts = new LRUCache<string, string>({
    maxSize: HELD_MOST,
    sizeCalculation: ({ length }) => length,
  });
  /** Apart from the definitions: they are small, and reading the texts of a large flow takes long. */
  readonly #tags = new LRUCache<string, PartyTags>({
    maxSize: TAGS_HELD.most,
    sizeCalculation: ({ owner, others }) =>
      [...owner, ...others].reduce((sum, tag) => sum + tag.length, TAGS_HELD.least),
  });

  /**
   * A version with which a run can start.
   * @param ref.version the latest when not said
   * @throws {PlatformError} flows.not_found, flows.not_published, flows.version_not_found
   */
  async published(reader: Reader, ref: FlowRef & { readonly version?: number }): Promise<PublishedVersion> {
    const flow = await flowHead(reader, ref);
    if (flow === undefined) throw new PlatformError('flows.not_found');
    const version = ref.version ?? flow.version;
    if (version === null) throw new PlatformError('flows.not_published');
    const of = { ...ref, version };
    return {
      flow,
      version,
      definition: await this.definition(reader, of),
      assets: await assetsOf(reader, of),
    };
  }

  /** The tags in the texts of a version; of owners those in its templates, too. */
  tags({
    flow,
    version,
    definition,
    assets,
  }: Pick<PublishedVersion, 'assets' | 'definition' | 'version'> & {
    readonly flow: Pick<FlowHead, 'id'>;
  }): PartyTags {
    const key = `${flow.id}/${version}`;
    const held = this.#tags.get(key);
    if (held !== undefined) return held;
    const { owner, others } = partyTags(definition);
    const ofTemplates = ownerTagsAmong(definition, [...templateTags(assets).values()].flat());
    const tags = { owner: [...new Set([...owner, ...ofTemplates])], others };
    this.#tags.set(key, tags);
    return tags;
  }

  /** Whether there is such a flow, published or not. */
  async has(reader: Reader, ref: FlowRef): Promise<boolean> {
    return (await flowHead(reader, ref)) !== undefined;
  }

  /**
   * The definition of a version, also of a flow that was deleted: runs need it until they go. It is shared, so nothing of it
   * may be changed.
   * @throws {PlatformError} flows.version_not_found
   */
  async definition(reader: Reader, ref: VersionRef): Promise<FlowDefinition> {
    const key = `${ref.flowId}/${ref.version}`;
    if ((await versionHead(reader, ref)) === undefined) throw new PlatformError('flows.version_not_found');
    const held = this.#definitions.get(key);
    if (held !== undefined) return held.definition;
    const text = await this.text(reader, ref);
    // Reading the row, parsing it and what comes after that take a turn of the event loop each.
    await setImmediate();
    // Clients look for constants, also where a flow has none.
    const definition = { constants: [], ...(JSON.parse(text) as FlowDefinition) };
    this.#definitions.set(key, { definition, size: text.length });
    await setImmediate();
    return definition;
  }

  /**
   * The same for an answer; a large one is read and written in a thread of its own.
   * @throws {PlatformError} flows.version_not_found
   */
  async shown(reader: Reader, ref: VersionRef): Promise<FlowDefinition> {
    const key = `${ref.flowId}/${ref.version}`;
    if ((await versionHead(reader, ref)) === undefined) throw new PlatformError('flows.version_not_found');
    const text = this.#texts.get(key) ?? withConstants(await this.text(reader, ref));
    this.#texts.set(key, text);
    return WrittenJson.of<FlowDefinition>(text);
  }

  /** The JSON of the definition of a version. @throws {PlatformError} flows.version_not_found */
  async text(reader: Reader, ref: VersionRef): Promise<string> {
    const text = await definitionOf(reader, ref);
    if (text === undefined) throw new PlatformError('flows.version_not_found');
    return text;
  }

  /** The PDFs of a version, also of a flow that was deleted. */
  assets(reader: Reader, ref: VersionRef) {
    return assetsOf(reader, ref);
  }

  /** A PDF of a version. @throws {PlatformError} flows.asset_not_found */
  async asset(
    reader: Reader,
    ref: VersionRef,
    key: string,
  ): Promise<{ row: FlowAssetRow; file: StoredFile }> {
    const row = await assetOf(reader, ref, key);
    const file = storedFile(row?.value ?? null);
    if (row === undefined || file === undefined) throw new PlatformError('flows.asset_not_found');
    return { row, file };
  }

  /** The published flows of a service, oldest first. */
  async list(reader: Reader, service: ServiceRef): Promise<CompanyFlow[]> {
    const rows = await latestVersions(reader, service).execute();
    return rows.map(({ id, name, version, output_mode, published_at }) => ({
      id,
      name,
      version,
      output_mode,
      published_at: isoTime(published_at),
    }));
  }

  /** What a backend needs to start a run. @throws {PlatformError} flows.not_found, flows.not_published */
  async forCompany(reader: Reader, ref: FlowRef): Promise<CompanyFlowVersion> {
    const flow = await flowHead(reader, ref);
    if (flow === undefined) throw new PlatformError('flows.not_found');
    const { version } = flow;
    if (version === null) throw new PlatformError('flows.not_published');
    const definition = await this.shown(reader, { ...ref, version });
    const rows = await requestRows(reader, ref.serviceId);
    const request_field_types = Object.fromEntries(rows.map(({ slug, type }) => [slug, type]));
    return { version, definition, request_field_types };
  }
}

/** Clients look for constants, also where a flow has none. */
const withConstants = (text: string): string =>
  // Text without the name has no such member and need not be parsed.
  text.includes('"constants":') && 'constants' in JSON.parse(text)
    ? text
    : `{"constants":[],${text.slice(1)}`;

/**
 * One row for each field of the latest version of each flow of a service (wire 13.9): some clients find a flow by nothing
 * else.
 */
export async function flowRequestRows(reader: Reader, service: ServiceRef): Promise<CompanyRequestRow[]> {
  const flows = await latestFields(reader, service).execute();
  return flows.flatMap(({ id, name, version, fields }) =>
    (JSON.parse(fields) as FlowFieldRow[]).map((field) => ({
      id: `${id}.${field.slug}`,
      slug: field.slug,
      label: field.label,
      type: field.type,
      one_time: false,
      mandatory_provide: false,
      mandatory_connected: false,
      verified: false,
      verified_max_age_days: null,
      flow_id: id,
      flow_name: name,
      flow_version: version,
    })),
  );
}

/** The value of a tag, with the type of the field that it comes from. */
export interface TagValue {
  readonly v: string;
  readonly t: string;
}

/**
 * What the company's profile says for the tags of owner parties, in texts and templates, by `party.field`. The field is the slug of a value of the
 * profile, or `company_name`. Tags that nothing fills are missing.
 */
export async function ownerTagValues(
  reader: Reader,
  company: { readonly id: string; readonly name: string },
  { owner: tags }: PartyTags,
): Promise<Record<string, TagValue>> {
  if (tags.length === 0) return {};
  const cards = await businessCards(reader, [company.id]);
  const values = new Map<string, TagValue>([['company_name', { v: company.name, t: 'text' }]]);
  for (const { slug, value, type } of cards.get(company.id) ?? []) values.set(slug, { v: value, t: type });
  return Object.fromEntries(
    tags.flatMap((tag) => {
      const value = values.get(tag.slice(tag.indexOf('.') + 1));
      return value === undefined ? [] : [[tag, value]];
    }),
  );
}
