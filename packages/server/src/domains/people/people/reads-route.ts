import { PersonReads, PersonReadsQuery } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { ANTI_FORGERY_HEADER } from '../../../access/cookies.ts';
import { WrittenJson } from '../../../core/written-json.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Core } from '../../domain.ts';

/** What takes longer keeps nothing else waiting. */
const SLOW_MS = 3_000;
/** Of one answer. Larger ones are streamed by their own address. */
const ANSWER_BYTES_MOST = 256 * 1024;
/** What says who calls. */
const SENT = ['authorization', 'cookie', 'user-agent', ANTI_FORGERY_HEADER] as const;

/**
 * Several reads in one call, for pages on slow lines. Each is answered by its own route, with all that belongs to it: access, limits,
 * other regions.
 */
export function readsRoute(app: App, { timers }: Pick<Core, 'timers'>): void {
  routesOf(app, { tags: ['person'], access: ['person'] })(
    'GET /api/person/reads',
    {
      summary: 'Several of your lists in one call',
      description:
        'Each as its own address answers it, and counted as a call of it. What is refused or larger than 256 KiB, and what takes longer than three seconds, is missing: read it at its own address.',
      alwaysJson: true,
      query: PersonReadsQuery,
      ok: PersonReads,
    },
    async (request) => {
      const answers: Record<string, unknown> = {};
      const read = async (name: string) => {
        const answer = await app.inject({ url: `/api/person/${name}`, ...sentBy(request) });
        if (answer.statusCode === 200 && answer.rawPayload.length <= ANSWER_BYTES_MOST)
          answers[name] = WrittenJson.of(answer.payload);
      };
      const names = new Set(request.query.of.split(','));
      const late = Promise.withResolvers<void>();
      const cancel = timers.after(SLOW_MS, late.resolve);
      // While the process stops, none is begun.
      await Promise.race([Promise.allSettled([...names].map(read)), late.promise]);
      cancel();
      return { answers: { ...answers } };
    },
  );
}

/** As the caller of a request sends it. */
function sentBy({ headers, ip }: FastifyRequest) {
  const sent = SENT.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
  return { remoteAddress: ip, headers: { ...Object.fromEntries(sent), accept: 'application/json' } };
}
