import type {
  AskedConnectRequest,
  AskedConnectRequestList,
  SendConnectRequest,
  SentConnectRequest,
} from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';
import type { LongList } from './so-far.ts';

/** Rows of one page. */
const PAGE = 50;
const at = (serviceId: string) => `/api/services/${serviceId}/connect-requests`;

/** Whom a service asked to connect in the last 30 days, the latest first. */
export const askedSoFar = (serviceId: string): LongList<AskedConnectRequest> => ({
  key: portalKeys.connectRequests(serviceId),
  idOf: ({ request_id: id }) => id,
  page: async (before, most = PAGE) => {
    const query = new URLSearchParams({ limit: String(most), ...(before !== '' && { before }) });
    const page = await portalCall<AskedConnectRequestList>('GET', `${at(serviceId)}?${query}`);
    return { rows: page.connect_requests, next: page.next };
  },
  atOnce: limits.pageMost,
});

/** Asks the person with a code to connect. One who is asked already is not asked twice. @throws SymbolonError */
export function askToConnect(serviceId: string, shareCode: string): Promise<SentConnectRequest> {
  const json: SendConnectRequest = { share_code: shareCode };
  return portalCall('POST', at(serviceId), json);
}

/** Codes that were typed or pasted from a table, with blanks, commas or lines between them. */
export interface Codes {
  /** Each once, in large letters. */
  readonly codes: readonly string[];
  readonly repeated: number;
  /** What can be no code. */
  readonly others: readonly string[];
}

/** A person's own code, or one that an operator gave. */
const CODE = /^[A-Z0-9]{3,20}$/;

export function codesIn(text: string): Codes {
  const words = text
    .split(/[\s,;]+/)
    .map((word) => word.replace(/^"(.*)"$/, '$1').toUpperCase())
    .filter((word) => word !== '');
  const codes = words.filter((word) => CODE.test(word));
  const once = [...new Set(codes)];
  return {
    codes: once,
    repeated: codes.length - once.length,
    others: [...new Set(words.filter((word) => !CODE.test(word)))],
  };
}
