import type { FlowDefinition } from '@symbolon/flows';
import type {
  Flow,
  FlowAsset,
  FlowCheck,
  FlowSummary,
  FlowVersion,
  FlowVersionList,
} from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import type { Transfer } from '../http/progress.ts';
import { jsonOf } from '../http/transport.ts';

/** A flow is addressed within its service. */
export type FlowRef = { serviceId: string; flowId: string };

/** Drafts and versions of flows (wire 13.2, 13.9): `flows` of a portal client and an account client. */
export class FlowAuthoring {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async list(serviceId: string): Promise<FlowSummary[]> {
    return (await this.#get<{ flows: FlowSummary[] }>(path`/api/services/${serviceId}/flows`)).flows;
  }

  /** The flow with its draft. @throws NotFoundError `flows.not_found` */
  get(ref: FlowRef): Promise<Flow> {
    return this.#get(addressOf(ref));
  }

  /** Without a definition the draft is empty. @throws InvalidRequestError `flows.definition_invalid`, with `issues` */
  create(serviceId: string, flow: { name?: string; definition?: FlowDefinition }): Promise<Flow> {
    return this.#api.json({ method: 'POST', path: path`/api/services/${serviceId}/flows`, json: flow });
  }

  /**
   * Saves the draft, or renames the flow.
   *
   * @param change.revision that was read
   * @throws ConflictError `flows.draft_changed` when a colleague saved since
   */
  update(
    ref: FlowRef,
    change: { revision: number; name?: string; definition?: FlowDefinition },
  ): Promise<Flow> {
    return this.#api.json({ method: 'PUT', path: addressOf(ref), json: change });
  }

  /** @throws ConflictError `flows.has_unfinished_runs` */
  delete(ref: FlowRef): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: addressOf(ref) });
  }

  /**
   * Makes a draft of a package.
   *
   * @param content of the zip
   * @throws InvalidRequestError `flows.package_invalid`, `flows.definition_invalid`
   */
  async import(serviceId: string, content: Uint8Array<ArrayBuffer>, transfer: Transfer = {}): Promise<Flow> {
    const file = { type: 'application/zip', content };
    const address = path`/api/services/${serviceId}/flows/import`;
    const answer = await this.#api.send({ method: 'POST', path: address, file, ...transfer });
    return jsonOf(answer) as Flow;
  }

  /** The zip of the draft, or of a published version. @throws NotFoundError `flows.version_not_found` */
  async export(
    ref: FlowRef,
    { version, ...transfer }: Transfer & { version?: number } = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const call = {
      method: 'GET',
      path: `${addressOf(ref)}/package`,
      accept: '*/*',
      query: { version },
    } as const;
    return (await this.#api.send({ ...call, ...transfer })).bytes;
  }

  /** Keeps a PDF of the draft. The answer tells which tags and form fields were found in it. */
  async putAsset(
    ref: FlowRef,
    asset: { key: string; name?: string; content: Uint8Array<ArrayBuffer> },
    transfer: Transfer = {},
  ): Promise<FlowAsset> {
    const file = { type: 'application/pdf', content: asset.content };
    const call = { method: 'PUT', path: `${addressOf(ref)}${path`/assets/${asset.key}`}`, file } as const;
    const answer = await this.#api.send({ ...call, query: { original_name: asset.name }, ...transfer });
    return jsonOf(answer) as FlowAsset;
  }

  /** What keeps the draft from being published, and what its author should look at. */
  check(ref: FlowRef): Promise<FlowCheck> {
    return this.#api.json({ method: 'POST', path: `${addressOf(ref)}/check`, json: {}, idempotent: true });
  }

  /**
   * Publishes the draft as the next version. Runs that have started go on with theirs.
   *
   * @param revision publishes only this draft
   * @returns the number of the version
   * @throws InvalidRequestError `flows.definition_invalid`, with `issues`; ConflictError `flows.draft_changed`
   */
  async publish(ref: FlowRef, revision?: number): Promise<number> {
    const json = revision === undefined ? {} : { revision };
    const call = { method: 'POST', path: `${addressOf(ref)}/publish`, json } as const;
    return (await this.#api.json<{ version: number }>(call)).version;
  }

  /** Latest first. */
  async versions(ref: FlowRef): Promise<FlowVersionList['versions']> {
    return (await this.#get<FlowVersionList>(`${addressOf(ref)}/versions`)).versions;
  }

  version(ref: FlowRef, version: number): Promise<FlowVersion> {
    return this.#get(`${addressOf(ref)}${path`/versions/${String(version)}`}`);
  }

  #get<T>(address: string): Promise<T> {
    return this.#api.json({ method: 'GET', path: address });
  }
}

const addressOf = ({ serviceId, flowId }: FlowRef) => path`/api/services/${serviceId}/flows/${flowId}`;
