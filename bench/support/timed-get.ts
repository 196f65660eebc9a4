import { Pool } from 'undici';

export interface Timed {
  readonly body: string;
  /** From the request to the last byte. */
  readonly ms: number;
}

/** GET over one keep-alive connection, timed. */
export function timedGet(base: string) {
  const pool = new Pool(base, { connections: 1, pipelining: 1 });
  return {
    async get(path: string, token: string): Promise<Timed> {
      const from = performance.now();
      const answer = await pool.request({
        method: 'GET',
        path,
        headers: { authorization: `Bearer ${token}` },
      });
      const bytes = await answer.body.arrayBuffer();
      const ms = performance.now() - from;
      const body = Buffer.from(bytes).toString('utf8');
      if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${answer.statusCode} ${body}`);
      return { body, ms };
    },
    close: () => pool.close(),
  };
}
