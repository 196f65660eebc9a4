import { type Call, type Progress, Transport } from '@symbolon/sdk/device';
import { apiBy, FILE_CALL_MS } from './inner/api.ts';

/** How much of a request has been sent. */
export type Report = (share: number) => void;

/** The platform for files: tells how much of each request was sent, or of an answer has come. */
export function tellingApi(report: Report) {
  // Where the device has no network, a second try changes nothing.
  const retry = navigator.onLine === false ? { retry: { attempts: 0 } } : {};
  const transport = new Transport({ timeoutMs: FILE_CALL_MS, ...retry });
  const send = (base: string, call: Call) => {
    const followed = call.method === 'GET' ? 'down' : 'up';
    const onProgress = ({ direction, bytes, total }: Progress) => {
      if (direction === followed && total !== undefined && total > 0) report(bytes / total);
    };
    return transport.send(base, { ...call, onProgress });
  };
  return apiBy({ send });
}
