import type { FieldTypeRegistry } from '@symbolon/field-types';
import {
  type ChosenOutput,
  chooseOutputs,
  documentValues,
  type TemplateTags,
  valuesOfTexts,
} from '@symbolon/flows';
import type { TemplateFilling, TemplatePlan } from '@symbolon/pdf';
import {
  type FlowOutput,
  type FlowRule,
  type GeneratedDocuments,
  type GenerateFlowRequest,
  limits,
} from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { storedFile } from '../../../core/stored-file.ts';
import type { Reader } from '../../../db/database.ts';
import type { Templates } from '../../agreements/index.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import { isPdf } from '../definitions/pdf-file.ts';
import type { PublishedFlows } from '../definitions/published.ts';
import { templateTags } from '../definitions/template-tags.ts';
import type { SeenRun } from '../runs/access.ts';
import { versionOf } from '../runs/states.ts';
import { copiesFor } from '../runs/store.ts';
import { openPart, openValues } from './bundle.ts';
import { invalidAs } from './invalid-as.ts';
import { missingTags } from './required-tags.ts';
import { type Held, holdsSource, shownValues, sourceKeyOf } from './sources.ts';
import { inputsOf } from './store.ts';
import type { FlowRunInputRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly blobs: Blobs;
  readonly flows: PublishedFlows;
  readonly registry: FieldTypeRegistry;
  readonly templates: Templates;
}

/** A PDF that was filled in, in memory. */
export interface Filled {
  readonly output: FlowOutput;
  /** Among the outputs of its node. */
  readonly place: number;
  readonly bytes: Uint8Array;
  readonly over: NonNullable<GeneratedDocuments['over']>;
  /** Of a PDF that a party brought: what its analysis would have shown to an author. */
  readonly problems: NonNullable<GeneratedDocuments['problems']>;
}

/** The files of a bundle by their source keys. */
type Files = ReadonlyMap<string, FlowRunInputRow>;

/** Opens one-time bundles and fills in the PDFs of the outputs that a run has (wire 13.14). */
export class Filling {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * One PDF after the other, so that never more than one is in memory.
   * @throws {PlatformError} flows.generate_inputs_mismatch, flows.source_pdf_invalid, documents.seal_unavailable
   */
  async *fill(userId: string, { run }: SeenRun, request: GenerateFlowRequest): AsyncGenerator<Filled> {
    const { database, flows, registry, templates } = this.#deps;
    const { reader } = database;
    const otk = Buffer.from(request.otk, 'base64');
    const version = versionOf(run);
    const definition = await flows.definition(reader, version);
    const node = definition.nodes.find(({ key }) => key === run.current_node);
    if (node === undefined) throw new PlatformError('flows.version_not_found');
    const held = await this.#held(reader, userId, run);
    const texts = openValues(otk, request.values);
    const state = { definition, fieldTypes: registry, referenceDate: run.reference_date };
    const chosen = chooseOutputs(node, valuesOfTexts(state, texts, held.slugs), (rule) =>
      holdsSource(rule, held),
    );
    const answered = held.slugs;
    const given = { definition, fieldTypes: registry, templates: held.templates, answered, texts };
    const tags = missingTags(chosen, given);
    const files = await this.#files(userId, run, request, { chosen, held, tags });
    const images = await this.#images(otk, files, chosen);
    const values = new Map(Object.entries(documentValues(state, shownValues(definition, texts, held))));
    const known: Record<string, { v: string }> = JSON.parse(run.owner_tag_values);
    for (const [tag, { v }] of Object.entries(known)) values.set(tag, v);
    const filling = { values: Object.fromEntries(values), images };
    for (const { output, rule } of chosen) {
      const { pdf, plan } = await this.#source(version, rule, (key) => this.#open(otk, files.get(key)));
      const { bytes, over, problems } = await invalidAs('flows.source_pdf_invalid', () =>
        templates.fill(pdf, { ...filling, ...(plan && { plan }) }),
      );
      yield {
        ...{ output, place: node.outputs?.indexOf(output) ?? 0, bytes },
        over: over.map(({ key, page }) => ({ output_key: output.key, key, page })),
        problems: problems.map(({ code, page }) => ({ output_key: output.key, code, page })),
      };
    }
  }

  async #held(
    reader: Reader,
    userId: string,
    run: SeenRun['run'],
  ): Promise<Held & { templates: TemplateTags }> {
    const copies = await copiesFor(reader, userId, [run.id]);
    const keysOf = (kind: (typeof copies)[number]['kind']) =>
      new Set(copies.filter((copy) => copy.kind === kind).map(({ key }) => key));
    const assets = await this.#deps.flows.assets(reader, versionOf(run));
    return {
      assets: new Set(assets.map(({ asset_key }) => asset_key)),
      slugs: keysOf('answer'),
      sources: keysOf('source'),
      templates: templateTags(assets),
    };
  }

  /** What the request names of what its sender uploaded, when no tag is missing either. @throws {PlatformError} flows.generate_inputs_mismatch */
  async #files(
    userId: string,
    { id: runId, company_id: companyId }: SeenRun['run'],
    request: GenerateFlowRequest,
    { chosen, held, tags }: { chosen: readonly ChosenOutput[]; held: Held; tags: readonly string[] },
  ): Promise<Files> {
    const { clock, database } = this.#deps;
    const sent = await inputsOf(database.reader, { companyId, runId, userId }, clock.now());
    const byId = new Map(sent.map((row) => [row.id, row]));
    const files = new Map<string, FlowRunInputRow>();
    const needed = sourcesOf(chosen);
    const unexpected: string[] = [];
    for (const { source_key: key, input } of request.inputs ?? []) {
      const row = byId.get(input);
      // Pictures for answered fields may come, too.
      if (row?.source_key === key && (needed.has(key) || held.slugs.has(key))) files.set(key, row);
      else unexpected.push(key);
    }
    const missing = [...tags, ...[...needed].filter((key) => !files.has(key))];
    if (missing.length > 0 || unexpected.length > 0)
      throw new PlatformError('flows.generate_inputs_mismatch', { details: { missing, unexpected } });
    return files;
  }

  /** The pictures among the files. */
  async #images(
    otk: Buffer,
    files: Files,
    chosen: readonly ChosenOutput[],
  ): Promise<NonNullable<TemplateFilling['images']>> {
    const needed = sourcesOf(chosen);
    const images: Record<string, Buffer> = {};
    for (const [key, row] of files) {
      if (needed.has(key)) continue;
      const bytes = await this.#open(otk, row);
      if (!isPdf(bytes)) images[key] = bytes;
    }
    return images;
  }

  async #open(otk: Buffer, row: FlowRunInputRow | undefined): Promise<Buffer> {
    const file = storedFile(row?.value ?? null);
    if (file === undefined) throw new PlatformError('flows.generate_inputs_mismatch');
    const text = await this.#deps.blobs.read(file.hash);
    return openPart(otk, text.toString('latin1'));
  }

  async #source(
    version: ReturnType<typeof versionOf>,
    rule: FlowRule,
    open: (key: string) => Promise<Buffer>,
  ): Promise<{ pdf: Buffer; plan?: TemplatePlan }> {
    const key = sourceKeyOf(rule);
    if (key !== null) {
      const pdf = await open(key);
      if (pdf.length > limits.fileBytes)
        throw new PlatformError('flows.source_pdf_invalid', { details: { reason: 'too_large' } });
      return { pdf };
    }
    const { blobs, database, flows } = this.#deps;
    const { row, file } = await flows.asset(database.reader, version, rule.asset_key ?? '');
    const plan = JSON.parse(row.plan) as TemplatePlan | null;
    return { pdf: await blobs.read(file.hash), ...(plan && { plan }) };
  }
}

/** The keys of the PDFs that parties bring. */
const sourcesOf = (chosen: readonly ChosenOutput[]): Set<string> =>
  new Set(chosen.map(({ rule }) => sourceKeyOf(rule)).filter((key) => key !== null));
