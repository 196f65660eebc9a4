import { createHmac, createSecretKey } from 'node:crypto';
import { Pool } from 'undici';
import { answering, childArguments } from './answering.ts';

/** The least that sends signed events: for each target one loop that posts, waits for the answer, and posts again. */
const [url = ''] = childArguments();
const key = createSecretKey(Buffer.from('a webhook secret of some length'));

answering(null, {
  async answer({ targets, total, body }: { targets: number; total: number; body: string }) {
    const pool = new Pool(url, { connections: targets, pipelining: 1 });
    const each = Math.ceil(total / targets);
    const loop = async (target: number) => {
      for (let sent = 0; sent < each; sent++) {
        const bytes = Buffer.from(body);
        const signature = createHmac('sha256', key).update(bytes).digest('hex');
        const answer = await pool.request({
          path: `/hook/${target}`,
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-platform-signature': signature },
          body: bytes,
        });
        await answer.body.dump();
        if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
      }
    };
    await Promise.all(Array.from({ length: targets }, (_, target) => loop(target)));
    await pool.close();
    return { sent: each * targets };
  },
});
