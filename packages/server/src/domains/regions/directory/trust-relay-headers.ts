import { refusalOfToken } from '../../../access/authenticator.ts';
import type { App } from '../../../http/app.ts';
import { RELAY_HEADER, type RelayTokens } from './relay-tokens.ts';
import type { RelayedAnswers } from './relayed-answers.ts';

/** The front door reads it: it signs with another key then, while keys are changed. */
export const REFUSED = 'refused';

/**
 * Takes a call that the front door passed on for one of its caller: limits, logs and mails count and name the caller's
 * address. No other source may say where a call came from.
 */
export function trustRelayHeaders(
  app: App,
  { relayTokens, relayedAnswers }: { relayTokens: RelayTokens; relayedAnswers: RelayedAnswers },
): void {
  app.addHook('onRequest', (request, reply, next) => {
    const token = request.headers[RELAY_HEADER];
    if (token === undefined) return next();
    const source = relayTokens.sourceOf(String(token), request);
    if (source === undefined) {
      reply.header(RELAY_HEADER, REFUSED);
      return next(refusalOfToken('invalid'));
    }
    Object.defineProperty(request, 'ip', { value: source });
    request.followFurther = (reply, handover) => relayedAnswers.follow(reply, handover);
    next();
  });
}
