import { openText } from '@symbolon/crypto';
import { FieldTypeRegistry } from '@symbolon/field-types';
import type { FieldTypeRow, FlowRun } from '@symbolon/protocol';
import { companySide, FlowRuns, jsonOf } from '@symbolon/sdk/device';
import { errorOf, refusalOf } from '../../inner/refusals.ts';
import { portalCall, portalFileCall } from './api.ts';
import type { OpenKey } from './copies.worker.ts';
import { peopleKeys } from './people-keys.ts';

type Side = Parameters<typeof companySide>[0];

/** The runs of a flow, with the key of its service. @param runs their address */
export const flowsAt = (
  runs: string,
  { key, publicKey }: OpenKey,
  picture?: Side['picture'],
): FlowRuns<FlowRun> =>
  new FlowRuns(
    companySide({
      api: { send: portalFileCall, json: async (call) => jsonOf(await portalFileCall(call)) as never },
      address: ({ id }) => `${runs}/${id}`,
      fieldTypes: async () =>
        new FieldTypeRegistry(await portalCall<FieldTypeRow[]>('GET', '/api/contact-field-types')),
      // Pages know an error of a key by its name, as it comes out of a worker.
      open: (wrapper) =>
        openText(wrapper, key).catch((error: unknown) => {
          throw errorOf(refusalOf(error));
        }),
      people: peopleKeys,
      ownKey: () => publicKey,
      picture,
    }),
  );
