import { isPossibleRoute, type Route } from '@symbolon/flows';
import type { AnswerFlowRunRequest, FlowDefinition } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { namedFile, sealedText } from './sealed-copy.ts';

/** One copy of an answer: a wrapper, or the id of an upload. */
export interface AnswerCopy {
  readonly slug: string;
  readonly userId: string;
  readonly value: string | { readonly file: string };
}

/** A submit as it was found to mean, for one step. */
export interface Submission {
  readonly route: Route;
  readonly slugs: readonly string[];
  readonly copies: readonly AnswerCopy[];
  /** Slugs whose answers came from private fields. */
  readonly privateSlugs: readonly string[];
  /** What the copies take, without files. */
  readonly bytes: number;
}

/** Where a submit says that the flow goes on. @throws {PlatformError} flows.route_invalid */
export function readRoute({ next_node, next_party, leaf }: AnswerFlowRunRequest): Route {
  const isLeaf = leaf === true;
  const [node, party] = [next_node ?? null, next_party ?? null];
  if (isLeaf && node === null && party === null) return { leaf: true };
  if (isLeaf || node === null || party === null) throw new PlatformError('flows.route_invalid');
  return { next_node: node, next_party: party };
}

/** The slugs that a submit answers, sorted. */
export const slugsOf = ({ answers }: AnswerFlowRunRequest): string[] =>
  answers.map(({ slug }) => slug).sort();

/**
 * Checks the answers of one step (wire 13.11). Whether the answers are right only those can tell who open them.
 * @param bindings user ids by party keys. Of a user who is bound several times there may be as many copies: the first counts
 * @throws {PlatformError} flows.answer_unknown, flows.copies_missing, flows.route_invalid, contact_data.encryption_required,
 *   contact_data.wrapper_invalid, contact_data.value_too_large
 */
export function readSubmission(
  definition: FlowDefinition,
  nodeKey: string,
  bindings: ReadonlyMap<string, string>,
  request: AnswerFlowRunRequest,
): Submission {
  const node = definition.nodes.find(({ key }) => key === nodeKey);
  const known = new Set(node?.elements.flatMap((element) => (element.kind === 'text' ? [] : [element.slug])));
  const slugs = slugsOf(request);
  if (new Set(slugs).size < slugs.length || slugs.some((slug) => !known.has(slug)))
    throw new PlatformError('flows.answer_unknown');
  const route = readRoute(request);
  if (!isPossibleRoute(definition, nodeKey, route)) throw new PlatformError('flows.route_invalid');
  const bound = Map.groupBy(bindings.values(), (user) => user);
  const copies = request.answers.flatMap(({ slug, values }): AnswerCopy[] => {
    const sent = [...Map.groupBy(values, ({ for_user_id: user }) => user)];
    const isForAll =
      sent.length === bound.size && sent.every(([user, of]) => of.length <= (bound.get(user)?.length ?? 0));
    if (!isForAll) throw new PlatformError('flows.copies_missing');
    return sent.map(([userId, [copy]]) => ({ slug, userId, value: readValue(copy?.value) }));
  });
  return {
    route,
    slugs,
    copies,
    privateSlugs: request.answers
      .filter(({ source_private }) => source_private === true)
      .map(({ slug }) => slug),
    bytes: copies.reduce((sum, { value }) => sum + (typeof value === 'string' ? value.length : 0), 0),
  };
}

function readValue(value: unknown): AnswerCopy['value'] {
  const file = namedFile(value);
  return file === undefined ? sealedText(value) : { file };
}
