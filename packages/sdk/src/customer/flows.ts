import type { KeyObject } from 'node:crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { CustomerFlowRun } from '@symbolon/protocol';
import { publicHalf } from '../data/own-key.ts';
import { customerKeys, customerParties } from '../flows/customer-keys.ts';
import { customerViewer } from '../flows/customer-viewer.ts';
import { FlowRuns, sameRun } from '../flows/flow-runs.ts';
import type { OpenFlowRun } from '../flows/open-run.ts';
import { type Api, path } from '../http/api.ts';
import { DecryptionError, NotFoundError } from '../http/errors.ts';
import type { ConfirmedKeys } from '../known-keys/confirmed-keys.ts';

type Parts = {
  api: Api;
  keys: ConfirmedKeys;
  fieldTypes: () => Promise<FieldTypeRegistry>;
  accountKey: KeyObject | undefined;
  /** @throws DecryptionError */
  open: (wrapper: string) => string;
};

/** A run is addressed within the connection to the company that asks. */
export type FlowRunRef = { connectionId: string; runId: string };

/** Runs of other companies' flows in which the company takes part (wire 13.10): `flows` of a customer client. */
export class CustomerFlows extends FlowRuns<CustomerFlowRun> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    const { api, keys, fieldTypes } = parts;
    super({
      ...{ api, fieldTypes, confirmed: keys },
      address: ({ id, connection_id: connection }) => {
        if (connection !== null) return addressOf({ connectionId: connection, runId: id });
        const message = 'The connection of this run has ended.';
        throw new NotFoundError({ errorKey: 'connections.not_found', message });
      },
      fileAddress: ({ file }) => path`/answer-files/${file}`,
      viewer: customerViewer,
      parties: (run) => customerParties(run, customerViewer(run)),
      open: async (wrapper) => parts.open(wrapper),
      keys: (run, signal) => {
        if (parts.accountKey === undefined) {
          const message = 'Answers are sealed to the company too: give the client its account key.';
          throw new DecryptionError({ errorKey: 'sdk.key_missing', message });
        }
        const own = { id: customerViewer(run), publicKey: publicHalf(parts.accountKey) };
        return customerKeys({ api, confirmed: keys, own }, run, signal);
      },
    });
    this.#parts = parts;
  }

  /** Newest first. @throws NotFoundError `connections.not_found` */
  async list(connectionId: string): Promise<CustomerFlowRun[]> {
    const call = { method: 'GET', path: path`/api/company-connections/${connectionId}/flow-runs` } as const;
    return (await this.#parts.api.json<{ runs: CustomerFlowRun[] }>(call)).runs;
  }

  /** Reads a run and opens the company's copies. @throws NotFoundError `flows.run_not_found`; DecryptionError */
  async run(ref: FlowRunRef, signal?: AbortSignal): Promise<OpenFlowRun<CustomerFlowRun>> {
    const call = { method: 'GET', path: addressOf(ref), signal } as const;
    return this.open(sameRun(ref.runId, await this.#parts.api.json<CustomerFlowRun>(call)));
  }

  /** Ends the run for every party. @throws ConflictError `flows.run_ended` once it is completed */
  decline(ref: FlowRunRef): Promise<CustomerFlowRun> {
    const call = { method: 'POST', path: `${addressOf(ref)}/decline`, json: {}, idempotent: true } as const;
    return this.#parts.api.json(call);
  }
}

const addressOf = ({ connectionId, runId }: FlowRunRef) =>
  path`/api/company-connections/${connectionId}/flow-runs/${runId}`;
