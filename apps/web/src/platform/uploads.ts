import type { Call, Progress } from '@symbolon/sdk/device';
import { apiBy, FILE_CALL_MS, patiently } from './inner/api.ts';

/** How much of a request has been sent. */
export type Report = (share: number) => void;

/** The platform for files: tells how much of each request was sent, or of an answer has come. */
export function tellingApi(report: Report) {
  const transport = patiently({ timeoutMs: FILE_CALL_MS });
  const send = (base: string, call: Call) => {
    const followed = call.method === 'GET' ? 'down' : 'up';
    const onProgress = ({ direction, bytes, total }: Progress) => {
      if (direction === followed && total !== undefined && total > 0) report(bytes / total);
    };
    return transport.send(base, { ...call, onProgress });
  };
  return apiBy({ send });
}
