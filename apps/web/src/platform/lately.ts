import type { MessageThread } from '@symbolon/protocol';
import type { Connection } from './connections.ts';
import type { Listed } from './documents.ts';
import type { ListedRun } from './flows/runs.ts';

/** What happened between the person and a company. */
export interface Happened {
  readonly key: string;
  readonly kind: 'connected' | 'message' | 'document' | 'flow';
  readonly at: string;
  readonly company: string;
  readonly connectionId?: string;
  /** What it is called. */
  readonly name: string;
  /** The page that shows it. */
  readonly to: string;
}

interface Known {
  readonly connections?: readonly Connection[] | undefined;
  readonly threads?: readonly MessageThread[] | undefined;
  readonly documents?: readonly Listed[] | undefined;
  readonly runs?: readonly ListedRun[] | undefined;
}

const id = encodeURIComponent;

/** What the lists of the person tell of, newest first. */
export function happenedOf({ connections = [], threads = [], documents = [], runs = [] }: Known): Happened[] {
  const all: Happened[] = [
    ...connections.map(({ connection_id: connectionId, company, service, connected_at: at }) => ({
      key: `connection ${connectionId}`,
      kind: 'connected' as const,
      at,
      company: company.display_name,
      connectionId,
      name: service.name,
      to: `/me/connections/${id(connectionId)}`,
    })),
    ...threads.flatMap(({ connection_id: connectionId, company, service, last_at: at }) =>
      at === null
        ? []
        : [
            {
              key: `thread ${connectionId}`,
              kind: 'message' as const,
              at,
              company: company.display_name,
              connectionId,
              name: service.name,
              to: `/me/messages/${id(connectionId)}`,
            },
          ],
    ),
    ...documents.map(({ id: documentId, name, company, created_at: at }) => ({
      key: `document ${documentId}`,
      kind: 'document' as const,
      at,
      company: company.display_name,
      name,
      to: `/me/documents/${id(documentId)}`,
    })),
    ...runs.map(({ id: runId, flow_name: name, company, updated_at: at }) => ({
      key: `run ${runId}`,
      kind: 'flow' as const,
      at,
      company: company.display_name,
      name,
      to: `/me/flows/${id(runId)}`,
    })),
  ];
  return all.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
