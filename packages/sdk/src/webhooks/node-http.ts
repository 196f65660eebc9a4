/**
 * The parts of `node:http` and of Express that the adapters use. Programs for other runtimes compile against this package
 * without the types of Node.
 */
export type IncomingRequest = {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether something has read the body already. */
  readonly readableDidRead: boolean;
  resume: () => unknown;
  on: (event: 'data', listener: (chunk: Uint8Array) => void) => unknown;
  once: (event: 'end' | 'error' | 'close', listener: () => void) => Pick<IncomingRequest, 'once'>;
};

export type OutgoingResponse = {
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  writeHead: (
    status: number,
    headers: Record<string, string | number>,
  ) => { end: (body?: string) => unknown };
};
