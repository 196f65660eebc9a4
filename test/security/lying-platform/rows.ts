import type { CompanyClient } from '@symbolon/sdk/account';
import type { LieName } from './lies.ts';
import { ENVELOPE, FILE, MARKER, PASSWORD, type World } from './world.ts';

type Row = { lies: readonly LieName[]; act: (world: World) => Promise<unknown>; isWithheld?: true };

export const NOTE = { note: { value: MARKER } };
const both = ['owner', 'key', 'keyAlone'] as const;

/** A call of a client that seals or sends a value; several acts of one call have a name behind the `/`. */
export const ROWS: Readonly<Record<string, Row>> = {
  'person.connect': {
    lies: both,
    act: ({ person, company, code }) => person.connect(company, code, NOTE),
  },
  'person.connectByLink': { lies: both, act: ({ person, link }) => person.connectByLink(link, NOTE) },
  'person.connectRequests.accept': {
    lies: both,
    act: async ({ person }) => {
      const [request] = await person.connectRequests.pending();
      return person.connectRequests.accept(request?.request_id ?? '', NOTE);
    },
  },
  'person.remap': { lies: both, act: ({ person, connectionId }) => person.remap(connectionId, NOTE) },
  'person.provideConsent': {
    lies: both,
    act: async ({ person }) => {
      const [consent] = await person.consents();
      return person.provideConsent(consent?.id ?? '', { later: { value: MARKER } });
    },
  },
  'person.editField': {
    lies: both,
    isWithheld: true,
    act: ({ person, field }) => person.editField(field.id, MARKER),
  },
  'person.files.save': {
    lies: both,
    isWithheld: true,
    act: ({ person, paper }) => person.files.save(paper.id, ENVELOPE),
  },
  'person.sendWithheld': {
    lies: both,
    isWithheld: true,
    act: ({ person, field }) => person.sendWithheld(field.id),
  },
  'person.messages.send': {
    lies: both,
    act: ({ person, connectionId }) => person.messages.send(connectionId, MARKER),
  },
  'person.consent.approve': { lies: both, act: ({ signIn }) => signIn() },
  'person.consent.approve/own claim': {
    lies: ['delivery'],
    isWithheld: true,
    act: ({ signIn }) => signIn({ mode: 'one_time', claims: [{ name: 'email', type: 'email' }] }, true),
  },
  'person.consent.approve/delivery': { lies: ['delivery'], isWithheld: true, act: ({ signIn }) => signIn() },
  'person.flows.answer': {
    lies: [...both, 'party'],
    act: async ({ person, runId }) =>
      person.flows.answer(await person.flows.run(runId), { room: 'bath', what: MARKER }),
  },
  'person.flows.processRun': {
    lies: [...both, 'party'],
    act: async ({ person, runId }) =>
      person.flows.processRun((await person.flows.run(runId)).run, {
        report: () => ({ room: 'bath', what: MARKER }),
      }),
  },
  'customer.connect': {
    lies: both,
    act: ({ customer, company, code }) => customer.connect(company, code, NOTE),
  },
  'customer.connectByLink': { lies: both, act: ({ customer, link }) => customer.connectByLink(link, NOTE) },
  'customer.remap': { lies: both, act: ({ customer, bond }) => customer.remap(bond, NOTE) },
  'customer.provideConsent': {
    lies: both,
    act: async ({ customer }) => {
      const [consent] = await customer.consents();
      return customer.provideConsent(consent?.id ?? '', { later: { value: MARKER } });
    },
  },
  'data.messages.send': {
    lies: both,
    act: ({ data, connectionId }) => data.messages.send(connectionId, MARKER),
  },
  'data.messages.send/from the list': {
    lies: both,
    act: async ({ data }) => {
      for await (const { id, personId } of data.connections())
        await data.messages.send(id, MARKER, { personId });
    },
  },
  'data.sealFor': {
    lies: ['key'],
    act: async ({ data, connectionId, userId }) =>
      data.messages.send(connectionId, JSON.stringify(await data.sealFor(userId, MARKER))),
  },
  'data.publicKeys': { lies: ['key'], act: ({ data, userId }) => data.publicKeys([userId]) },
  'data.documents.create': {
    lies: both,
    act: ({ data, connectionId }) =>
      data.documents.create({ name: 'Paper', to: { connectionId }, content: { file: FILE } }),
  },
  'data.documents.create/user': {
    lies: ['key'],
    act: ({ data, userId }) =>
      data.documents.create({ name: 'Paper', to: { userId }, content: { json: MARKER } }),
  },
  'data.documents.replaceFile': {
    lies: [...both, 'target'],
    act: ({ data, documentId }) => data.documents.replaceFile(documentId, FILE),
  },
  'data.flows.start': {
    lies: both,
    act: ({ data, flowId, connectionId }) =>
      data.flows.start(flowId, { connectionId, tags: { 'tenant.first_name': MARKER } }),
  },
  'data.flows.answer': {
    lies: ['key', 'party'],
    act: async ({ data, waiting }) =>
      data.flows.answer(await data.flows.run(waiting), { decision: 'repair' }),
  },
  'data.flows.process': {
    lies: ['key', 'party'],
    isWithheld: true,
    act: ({ data }) => Array.fromAsync(data.flows.process({ decide: () => ({ decision: 'repair' }) })),
  },
  'data.flows.processRun': {
    lies: ['key', 'party'],
    act: async ({ data, waiting }) =>
      data.flows.processRun((await data.flows.run(waiting)).run, { decide: () => ({ decision: 'repair' }) }),
  },
  ...companyRows('portal', ({ portal }) => portal),
  ...companyRows('account', ({ account }) => account),
  'portal.recovery.share': {
    lies: ['key', 'keyAlone'],
    act: ({ portal, holder }) => portal.recovery.share(holder, async () => ({ password: PASSWORD })),
  },
};

/** What both clients of a company seal: the passphrase of a service, to the recovery key. */
function companyRows(name: string, client: (world: World) => CompanyClient): Record<string, Row> {
  return {
    [`${name}.createService`]: {
      lies: ['key', 'keyAlone'],
      act: (world) => client(world).createService({ name: `By ${name}`, adminEmail: 'ops@lies.example' }),
    },
    [`${name}.replaceServiceKey`]: {
      lies: ['key', 'keyAlone'],
      act: (world) => client(world).replaceServiceKey(world.rotatedId),
    },
  };
}
