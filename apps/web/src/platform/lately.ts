import type { MessageThread } from '@symbolon/protocol';
import type { Connection } from './connections.ts';
import type { Listed } from './document-list.ts';
import type { ListedRun } from './flows/run-list.ts';

/** What happened between the person and a company. */
export interface Happened {
  readonly key: string;
  readonly kind:
    | 'connected'
    | 'message'
    | 'document'
    | 'signed'
    | 'accepted'
    | 'ending'
    | 'ended'
    | 'flow'
    | 'completed'
    | 'cancelled';
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
      ...happened('connected', at, company, service.name, `/me/connections/${id(connectionId)}`),
      connectionId,
    })),
    ...threads.flatMap(({ connection_id: connectionId, company, service, last_at: at }) => {
      if (at === null) return [];
      const to = `/me/messages/${id(connectionId)}`;
      return [{ ...happened('message', at, company, service.name, to), connectionId }];
    }),
    ...documents.flatMap(ofDocument),
    ...runs.flatMap(ofRun),
  ];
  return all.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

/** That it came, what the person did with it, and that it ends. */
function ofDocument({ id: documentId, name, company, created_at, updated_at, status, signatures }: Listed) {
  const of = (kind: Happened['kind'], at: string): Happened =>
    happened(kind, at, company, name, `/me/documents/${id(documentId)}`);
  return [
    of('document', created_at),
    ...signatures.map(({ action, created_at: at }) => of(action, at)),
    ...(status === 'active_but_ending' ? [of('ending', updated_at)] : []),
    ...(status === 'ended' ? [of('ended', updated_at)] : []),
  ];
}

/** Where it stands; of one that is over, when it began and how it ended. */
function ofRun({ id: runId, flow_name: name, company, created_at, updated_at, status }: ListedRun) {
  const of = (kind: Happened['kind'], at: string): Happened =>
    happened(kind, at, company, name, `/me/flows/${id(runId)}`);
  return status === 'completed' || status === 'cancelled'
    ? [of('flow', created_at), of(status, updated_at)]
    : [of('flow', updated_at)];
}

const happened = (
  kind: Happened['kind'],
  at: string,
  company: { readonly display_name: string },
  name: string,
  to: string,
): Happened => ({ key: `${kind} ${to} ${at}`, kind, at, company: company.display_name, name, to });
