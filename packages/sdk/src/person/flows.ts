import { type CryptoKey, openText } from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { CustomerFlowRun, ListedFlowRun, Person } from '@symbolon/protocol';
import { customerKeys, customerParties, type RunKeys } from '../flows/customer-keys.ts';
import { FlowRuns, sameRun } from '../flows/flow-runs.ts';
import type { FlowSide } from '../flows/flow-side.ts';
import type { OpenFlowRun } from '../flows/open-run.ts';
import { type Api, path } from '../http/api.ts';
import { DecryptionError } from '../http/errors.ts';
import type { TransportOptions } from '../http/transport.ts';
import type { ConfirmedKeys } from '../known-keys/confirmed-keys.ts';

export type PersonFlowKeys = RunKeys & Pick<ConfirmedKeys, 'met' | 'confirmOwners'>;

type Parts = {
  api: Pick<Api, 'json' | 'send'>;
  person: () => Pick<Person, 'person_user_id' | 'public_key'>;
  confirmed: PersonFlowKeys;
  fieldTypes: () => Promise<FieldTypeRegistry>;
  /** @throws when the client cannot open anything */
  key: () => CryptoKey;
  picture?: FlowSide<CustomerFlowRun>['picture'];
  transport?: TransportOptions;
};

/** Runs of flows in which the person takes part (wire 13.10): `flows` of a person client. */
export class PersonFlows extends FlowRuns<CustomerFlowRun> {
  readonly #api: Parts['api'];

  constructor(parts: Parts) {
    super(personSide(parts));
    this.#api = parts.api;
  }

  /** Oldest first, without definition and answers. */
  async list(): Promise<ListedFlowRun[]> {
    const call = { method: 'GET', path: '/api/person/flow-runs' } as const;
    return (await this.#api.json<{ runs: ListedFlowRun[] }>(call)).runs;
  }

  /** Reads a run and opens the person's copies. @throws NotFoundError `flows.run_not_found`; DecryptionError */
  async run(id: string, signal?: AbortSignal): Promise<OpenFlowRun<CustomerFlowRun>> {
    const call = { method: 'GET', path: addressOf(id), signal } as const;
    return this.open(sameRun(id, await this.#api.json<CustomerFlowRun>(call)));
  }

  /** Ends the run for every party. @throws ConflictError `flows.run_ended` once it is completed */
  decline(id: string): Promise<CustomerFlowRun> {
    const call = { method: 'POST', path: `${addressOf(id)}/decline`, json: {}, idempotent: true } as const;
    return this.#api.json(call);
  }
}

const addressOf = (id: string) => path`/api/person/flow-runs/${id}`;

function personSide({
  api,
  person,
  confirmed,
  fieldTypes,
  key,
  picture,
  transport,
}: Parts): FlowSide<CustomerFlowRun> {
  return {
    ...{ api, fieldTypes, picture, transport, confirmed },
    address: ({ id }) => addressOf(id),
    fileAddress: ({ file }) => path`/answer-files/${file}`,
    viewer: () => person().person_user_id,
    parties: (run) => customerParties(run, person().person_user_id),
    open: async (wrapper) => {
      const opening = key();
      try {
        return await openText(wrapper, opening);
      } catch (cause) {
        const message = 'The key of the person does not open an answer of this run.';
        throw new DecryptionError({ errorKey: 'sdk.unreadable', message, cause });
      }
    },
    keys: (run, signal) => {
      const { person_user_id: id, public_key: publicKey } = person();
      return customerKeys({ api, confirmed, own: { id, publicKey } }, run, signal);
    },
  };
}
