import type { PersonConnection, RequestField } from '@symbolon/protocol';
import { Event, type EventName } from '@symbolon/protocol/constants';
import { isMandatory, liveRows } from '@symbolon/sdk/sandbox';
import { Problem } from '../problem.ts';
import { completeChallenge } from './challenge.ts';
import { answerRequest } from './connect-request.ts';
import { connected, left } from './connected.ts';
import { issueDocument } from './documents.ts';
import { runFlow } from './flow-runs.ts';
import type { Done, Sandbox } from './sandbox.ts';
import { withSandboxRow } from './sandbox-row.ts';

export type ActOptions = { slug?: string; allowPublish?: boolean; config?: string };

export type Act = {
  /** What the person does, for `--list`. */
  does: string;
  run(sandbox: Sandbox, options: ActOptions): Promise<Done>;
};

/** What raises each event. An event without an act needs more than the sandbox person. */
export const acts: Partial<Record<EventName, Act>> = {
  [Event.connectionCreated]: {
    does: 'connects to the service, leaving it first when connected',
    async run(sandbox) {
      const also = await left(sandbox);
      await sandbox.connect();
      return { also };
    },
  },
  [Event.connectionDeleted]: {
    does: 'leaves the service, connecting first when not connected',
    async run(sandbox) {
      const { connection, also } = await connected(sandbox);
      await sandbox.client.disconnect(connection.connection_id);
      return { also };
    },
  },
  [Event.fieldUpdated]: {
    does: 'gives a field that is shared live another value',
    async run(sandbox, { slug }) {
      const { connection, also } = await connected(sandbox);
      const row = liveRows(connection).find((candidate) => slug === undefined || candidate.slug === slug);
      if (row !== undefined) return { slug: row.slug, value: await sandbox.edit(row), also };
      const unanswered = rowFor(sandbox, connection, slug, (candidate) => !candidate.one_time);
      const event = await answerRow(sandbox, connection, unanswered);
      return { slug: unanswered.slug, value: await sandbox.edit(unanswered), also: [...also, event] };
    },
  },
  [Event.fieldDeleted]: {
    does: 'takes the answer to a row back that is not mandatory',
    async run(sandbox, { slug }) {
      let { connection, also } = await connected(sandbox);
      const fits = (row: RequestField) => !isMandatory(row) && (slug === undefined || row.slug === slug);
      let row = liveRows(connection).find(fits);
      if (row === undefined) {
        row = rowFor(
          sandbox,
          connection,
          slug,
          (candidate) => !candidate.one_time && !isMandatory(candidate),
        );
        also = [...also, await answerRow(sandbox, connection, row)];
        connection = await sandbox.client.connection(connection.connection_id);
      }
      await sandbox.client.remap(connection.connection_id, { [row.slug]: { remove: true } });
      return { slug: row.slug, also };
    },
  },
  [Event.consentAccepted]: {
    does: 'answers a row it was asked for later or left open before',
    async run(sandbox, options) {
      const { connection, also } = await connected(sandbox);
      const asked = pendingRow(connection, options.slug);
      if (asked !== undefined) {
        await provide(sandbox, connection, asked);
        return { slug: asked.slug, also };
      }
      const open = openRows(sandbox, connection).find(
        (row) => options.slug === undefined || row.slug === options.slug,
      );
      if (open !== undefined) {
        await answerRow(sandbox, connection, open);
        return { slug: open.slug, also };
      }
      return withSandboxRow(sandbox, options, async () => {
        const now = await sandbox.client.connection(connection.connection_id);
        const row = expectAsked(pendingRow(now, undefined));
        await provide(sandbox, now, row);
        return { slug: row.slug, also };
      });
    },
  },
  [Event.consentDeclined]: {
    does: 'declines a row it was asked for later',
    async run(sandbox, options) {
      const { connection, also } = await connected(sandbox);
      const decline = async (row: RequestField) => {
        const { pending_consent: consent } = await sandbox.client.connection(connection.connection_id);
        await sandbox.client.declineConsent(expectAsked(consent ?? undefined).id, [row.slug]);
        return { slug: row.slug, also };
      };
      const asked = pendingRow(connection, options.slug);
      if (asked !== undefined) return decline(asked);
      return withSandboxRow(sandbox, options, async () => {
        const now = await sandbox.client.connection(connection.connection_id);
        return decline(expectAsked(pendingRow(now, undefined)));
      });
    },
  },
  [Event.messageReceived]: {
    does: 'writes to the service',
    async run(sandbox) {
      const { connection, also } = await connected(sandbox);
      const value = `Hello from the sandbox, ${new Date().toISOString()}`;
      await sandbox.client.messages.send(connection.connection_id, value);
      return { value, also };
    },
  },
  [Event.connectionRequestAccepted]: {
    does: 'accepts a request of the data client of --config, leaving the service first',
    async run(sandbox, { config }) {
      const also = await left(sandbox);
      return answerRequest(sandbox, config, async (id) => {
        await sandbox.client.connectRequests.accept(id, await sandbox.answers());
        return { also: [...also, Event.connectionCreated] };
      });
    },
  },
  [Event.connectionRequestRejected]: {
    does: 'rejects a request of the data client of --config, leaving the service first',
    async run(sandbox, { config }) {
      const also = await left(sandbox);
      return answerRequest(sandbox, config, async (id) => {
        await sandbox.client.connectRequests.reject(id);
        return { also };
      });
    },
  },
  [Event.twoFactorChallengeCompleted]: {
    does: 'approves what the data client of --config asks, enrolling first',
    run: (sandbox, { config }) => completeChallenge(sandbox, config),
  },
  [Event.documentCreated]: {
    does: 'gets a document from the data client of --config, which deletes it again',
    run: (sandbox, { config }) => issueDocument(sandbox, config, Event.documentCreated),
  },
  [Event.documentUpdated]: {
    does: 'gets a document from the data client of --config, which renames and deletes it',
    run: (sandbox, { config }) => issueDocument(sandbox, config, Event.documentUpdated),
  },
  [Event.documentDeleted]: {
    does: 'gets a document from the data client of --config, which deletes it',
    run: (sandbox, { config }) => issueDocument(sandbox, config, Event.documentDeleted),
  },
  [Event.documentStatusChanged]: {
    does: 'cancels a contract that the data client of --config offers, and then deletes',
    run: (sandbox, { config }) => issueDocument(sandbox, config, Event.documentStatusChanged),
  },
  [Event.flowRunTurn]: {
    does: 'is asked by a flow that is made for it, by the data client of --config, and declines',
    run: (sandbox, { config }) => runFlow(sandbox, config, Event.flowRunTurn),
  },
  [Event.flowCompleted]: {
    does: 'answers a flow that is made for it, by the data client of --config',
    run: (sandbox, { config }) => runFlow(sandbox, config, Event.flowCompleted),
  },
};

/** Rows without an answer for which one can be made up; those that wait for consent are answered there. */
function openRows(sandbox: Sandbox, connection: PersonConnection): RequestField[] {
  const answered = new Set(connection.mappings.map(({ slug }) => slug));
  const pending = new Set(connection.pending_consent?.request_fields.map(({ slug }) => slug));
  return connection.request_fields.filter(
    (row) => !answered.has(row.slug) && !pending.has(row.slug) && sandbox.canAnswer(row),
  );
}

function pendingRow(connection: PersonConnection, slug: string | undefined): RequestField | undefined {
  return connection.pending_consent?.request_fields.find((row) => slug === undefined || row.slug === slug);
}

/** The row that is named, or one that fits. @throws Problem */
function rowFor(
  sandbox: Sandbox,
  connection: PersonConnection,
  slug: string | undefined,
  fits: (row: RequestField) => boolean,
): RequestField {
  const rows = connection.request_fields;
  const row = rows.find((candidate) =>
    slug === undefined ? fits(candidate) && sandbox.canAnswer(candidate) : candidate.slug === slug,
  );
  if (row !== undefined && fits(row)) return row;
  const slugs = rows.map((candidate) => candidate.slug).join(', ') || 'nothing';
  throw new Problem(
    slug === undefined
      ? `No row of the service can be used for this. It asks for ${slugs}.`
      : row === undefined
        ? `The service has no row ${slug}. It asks for ${slugs}.`
        : `The row ${slug} cannot be used for this: it is mandatory, or takes a value once only.`,
    { exitCode: 2 },
  );
}

/** Answers one more row; gives the event that raises. */
async function answerRow(sandbox: Sandbox, connection: PersonConnection, row: RequestField): Promise<string> {
  const wasAnswered = connection.mappings.some(({ slug }) => slug === row.slug);
  await sandbox.client.remap(connection.connection_id, { [row.slug]: await sandbox.answer(row) });
  return wasAnswered ? Event.fieldUpdated : Event.consentAccepted;
}

async function provide(sandbox: Sandbox, connection: PersonConnection, row: RequestField): Promise<void> {
  const consent = expectAsked(connection.pending_consent ?? undefined);
  // The mandatory rows of a consent are answered together.
  const rows = consent.request_fields.filter((asked) => asked.slug === row.slug || isMandatory(asked));
  const answers = await Promise.all(rows.map(async (asked) => [asked.slug, await sandbox.answer(asked)]));
  await sandbox.client.provideConsent(consent.id, Object.fromEntries(answers));
}

function expectAsked<T>(asked: T | undefined): T {
  if (asked !== undefined) return asked;
  throw new Problem('The sandbox person was not asked: the request rows were published again meanwhile.');
}
