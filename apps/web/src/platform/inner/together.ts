import { type PersonRead, personReads } from '@symbolon/protocol/constants';
import { type Answer, type Call, jsonOf, SymbolonError, type Transport } from '@symbolon/sdk/device';

type By = Pick<Transport, 'send'>;
type Waiting = {
  readonly name: PersonRead;
  readonly sent: Call;
  readonly found: PromiseWithResolvers<Answer>;
};

const PERSON = '/api/person/';
const READS: ReadonlySet<string> = new Set(personReads);

/**
 * Sends what is read at the same moment as one call: a page shows many lists, and a phone on a slow line waits for each call. What
 * is missing in the answer, as a list that is refused or large, is read by itself, and from then on.
 */
export function together(by: By): By {
  const alone = new Set<string>();
  let waiting: Waiting[] = [];

  const nameOf = ({ method, path, query, signal }: Call): PersonRead | undefined => {
    if (method !== 'GET' || query !== undefined || signal !== undefined) return undefined;
    const name = path.startsWith(PERSON) ? path.slice(PERSON.length) : '';
    return READS.has(name) && !alone.has(name) ? (name as PersonRead) : undefined;
  };
  const sendAlone = ({ sent, found }: Waiting) => by.send('', sent).then(found.resolve, found.reject);
  const flush = async () => {
    const all = waiting;
    waiting = [];
    const [first] = all;
    const names = [...new Set(all.map(({ name }) => name))];
    if (first === undefined || names.length === 1) return all.forEach(sendAlone);
    try {
      const call: Call = { ...first.sent, path: `${PERSON}reads`, query: { of: names.join(',') } };
      const answer = await by.send('', call);
      const { answers } = jsonOf(answer) as { answers: Partial<Record<PersonRead, unknown>> };
      for (const each of all) {
        const { name, found } = each;
        if (answers[name] === undefined) {
          alone.add(name);
          sendAlone(each);
        } else found.resolve({ ...answer, bytes: new TextEncoder().encode(JSON.stringify(answers[name])) });
      }
    } catch (error) {
      const isRefused = error instanceof SymbolonError && error.status !== undefined;
      // Each is told why it is refused.
      for (const each of all) isRefused ? sendAlone(each) : each.found.reject(error);
    }
  };

  return {
    send(base, sent, token) {
      const name = nameOf(sent);
      if (name === undefined) return by.send(base, sent, token);
      if (waiting.length === 0) setTimeout(flush);
      const found = Promise.withResolvers<Answer>();
      waiting.push({ name, sent, found });
      return found.promise;
    },
  };
}
