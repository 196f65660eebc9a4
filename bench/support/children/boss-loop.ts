import { createHmac, createSecretKey } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { Pool } from 'undici';
import { answering, childArguments } from './answering.ts';

/** pg-boss doing the same: one job an event, a handler that signs and posts it. */
const [databaseUrl = '', sinkUrl = ''] = childArguments();
const key = createSecretKey(Buffer.from('a webhook secret of some length'));
/** Workers of a process; more do not make it faster. */
const WORKERS_MOST = 20;

const boss = new PgBoss(databaseUrl);
boss.on('error', () => {});
await boss.start();

answering(null, {
  async answer({ targets, total, body }: { targets: number; total: number; body: string }) {
    const pool = new Pool(sinkUrl, { connections: targets, pipelining: 1 });
    const queue = `webhooks-${crypto.randomUUID()}`;
    await boss.createQueue(queue);
    const data = JSON.parse(body);
    for (let made = 0; made < total; made += 1000) {
      await boss.insert(
        queue,
        Array.from({ length: Math.min(1000, total - made) }, () => ({ data })),
      );
    }
    const post = async (job: { data: object }) => {
      const bytes = Buffer.from(JSON.stringify(job.data));
      const signature = createHmac('sha256', key).update(bytes).digest('hex');
      const answer = await pool.request({
        path: '/hook',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-platform-signature': signature },
        body: bytes,
      });
      await answer.body.dump();
    };
    for (let worker = 0; worker < Math.min(targets, WORKERS_MOST); worker++) {
      await boss.work<object>(queue, { batchSize: 100, pollingIntervalSeconds: 0.5 }, async (jobs) => {
        for (const job of jobs) await post(job);
      });
    }
    return { queue };
  },
  stop: () => boss.stop({ graceful: false }),
});
