import { type Runtime, Transport, TransportError } from '@symbolon/sdk/device';
import { apiBy, FILE_CALL_MS } from './api.ts';

/** How much of a request has been sent. */
export type Report = (share: number) => void;

/** The platform for files: tells how much of each request was sent, or of an answer has come. */
export function tellingApi(report: Report) {
  const fetch = (url: string, init: Init) => sendTelling(url, init, report);
  return apiBy(new Transport({ timeoutMs: FILE_CALL_MS, runtime: { fetch } }));
}

type Init = Parameters<Runtime['fetch']>[1];

/** As `fetch`, which cannot tell how much was sent. */
function sendTelling(path: string, { method, headers, body, signal }: Init, report: Report) {
  return new Promise<{
    ok: boolean;
    status: number;
    headers: { get: (name: string) => string | null };
    arrayBuffer: () => Promise<ArrayBuffer>;
  }>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.responseType = 'arraybuffer';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    const tell = ({ loaded, total }: ProgressEvent) => report(total > 0 ? loaded / total : 0);
    if (body === undefined) request.onprogress = tell;
    else request.upload.onprogress = tell;
    request.onload = () => {
      const { status } = request;
      resolve({
        ok: status >= 200 && status < 300,
        status,
        headers: { get: (name) => request.getResponseHeader(name) },
        arrayBuffer: async () => request.response as ArrayBuffer,
      });
    };
    const fail = () => reject(new TransportError({ errorKey: 'sdk.transport', message: 'No answer.' }));
    request.onerror = fail;
    request.onabort = fail;
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body ?? null);
  });
}
