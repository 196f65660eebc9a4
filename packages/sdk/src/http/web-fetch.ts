import { TransportError } from './errors.ts';
import type { OnProgress } from './progress.ts';
import type { Fetch, FetchResponse } from './runtime.ts';

/** The fetch of browsers and of every runtime but Node; node-fetch.ts says why Node has another. */
export const platformFetch: Fetch = (url, { onProgress, ...init }) => {
  if (onProgress === undefined) return globalThis.fetch(url, init);
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => Xhr };
  if (init.body === undefined || XMLHttpRequest === undefined) return fetchTelling(url, init, onProgress);
  return sendTelling(new XMLHttpRequest(), { url, init, onProgress });
};

type Init = Omit<Parameters<Fetch>[1], 'onProgress'>;

/** Reports what arrives. What is sent is reported with the answer: fetch does not expose progress. */
async function fetchTelling(url: string, init: Init, onProgress: OnProgress): Promise<FetchResponse> {
  const response = await globalThis.fetch(url, init);
  if (init.body !== undefined) {
    const total = new Blob([init.body]).size;
    onProgress({ direction: 'up', bytes: total, total });
  }
  const { ok, status, headers, body } = response;
  return { ok, status, headers, arrayBuffer: () => readTelling(body, totalIn(headers), onProgress) };
}

async function readTelling(
  body: ReadableStream<Uint8Array> | null,
  total: number | undefined,
  onProgress: OnProgress,
): Promise<ArrayBuffer> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    pieces.push(read.value as Uint8Array<ArrayBuffer>);
    bytes += read.value.length;
    onProgress({ direction: 'down', bytes, total });
  }
  return new Blob(pieces).arrayBuffer();
}

/** The part of `XMLHttpRequest` that is used here: the one way in which browsers tell how much they have sent. */
type Xhr = {
  open: (method: string, url: string) => void;
  setRequestHeader: (name: string, value: string) => void;
  getResponseHeader: (name: string) => string | null;
  send: (body: Init['body']) => void;
  abort: () => void;
  responseType: string;
  readonly response: unknown;
  readonly responseURL: string;
  readonly status: number;
  readonly upload: { onprogress: Told };
  onprogress: Told;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
};
type Told = ((event: { loaded: number; total: number; lengthComputable: boolean }) => void) | null;

function sendTelling(
  request: Xhr,
  { url, init, onProgress }: { url: string; init: Init; onProgress: OnProgress },
): Promise<FetchResponse> {
  const { method, headers, body, signal } = init;
  const tell =
    (direction: 'up' | 'down'): Told =>
    ({ loaded, total, lengthComputable }) =>
      onProgress({ direction, bytes: loaded, total: lengthComputable ? total : undefined });
  return new Promise((resolve, reject) => {
    const fail = (message: string) => reject(new TransportError({ errorKey: 'sdk.transport', message }));
    request.open(method, url);
    request.responseType = 'arraybuffer';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = tell('up');
    request.onprogress = tell('down');
    request.onload = () => {
      const { status, responseURL } = request;
      // It follows redirects by itself. Browsers take the token out of a request to another origin.
      if (responseURL !== '' && responseURL !== addressOf(url)) return fail('It was redirected.');
      resolve({
        ok: status >= 200 && status < 300,
        status,
        headers: { get: (name) => request.getResponseHeader(name) },
        arrayBuffer: async () => request.response as ArrayBuffer,
      });
    };
    request.onerror = () => fail('No answer.');
    request.onabort = () => fail('It was stopped.');
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) return fail('It was stopped.');
    request.send(body);
  });
}

/** As a response names it. @param url may be relative to the page */
function addressOf(url: string): string {
  const { location } = globalThis as { location?: { href: string } };
  return new URL(url, location?.href).href;
}

function totalIn(headers: { get: (name: string) => string | null }): number | undefined {
  // Of what was encoded for the way, it says the encoded length.
  const length = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  return length === null ? undefined : Number(length);
}
