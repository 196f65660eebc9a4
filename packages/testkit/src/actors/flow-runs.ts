import type { FlowDefinition, FlowRun } from '@symbolon/protocol';
import type { Callable } from '../platform/calls.ts';
import { sealed, type TestService } from './actors.ts';

/** A customer tells, the company looks at it; a customer with a large number is asked once more. */
export function askAndLook(name = 'Ask and look'): FlowDefinition {
  return {
    name,
    output_mode: 'data_only',
    entry: 'tell',
    parties: [
      { key: 'client', label: 'Client' },
      { key: 'owner', label: 'Company', type: 'owner' },
    ],
    nodes: [
      {
        key: 'tell',
        party: 'client',
        title: 'Tell us',
        elements: [
          { kind: 'field', slug: 'colour', field_type: 'text', label: 'Colour', required: true },
          { kind: 'field', slug: 'weight', field_type: 'number', label: 'Weight', required: false },
          { kind: 'field', slug: 'paper', field_type: 'pdf_document', label: 'Paper', required: false },
        ],
      },
      {
        key: 'more',
        party: 'client',
        title: 'More',
        elements: [{ kind: 'field', slug: 'reason', field_type: 'text', label: 'Reason', required: true }],
      },
      {
        key: 'look',
        party: 'owner',
        title: 'Look',
        elements: [{ kind: 'field', slug: 'verdict', field_type: 'text', label: 'Verdict', required: false }],
      },
    ],
    edges: [
      { from: 'tell', to: 'more', condition: { op: 'gt', field: 'weight', value: 100 }, sort: 0 },
      { from: 'tell', to: 'look', condition: null, sort: 1 },
      { from: 'more', to: 'look', condition: null },
    ],
  };
}

/** Creates a flow of a service and publishes it; gives its id. */
export async function publishFlow(
  platform: Callable,
  service: TestService,
  definition: FlowDefinition = askAndLook(),
): Promise<string> {
  const path = `/api/services/${service.id}/flows`;
  const { token } = service.company;
  const { id } = await platform.must('POST', path, { token, body: { definition } });
  await platform.must('POST', `${path}/${id}/publish`, { token });
  return id;
}

/** Where a run goes on, as submits say it. */
export const to = (next_node: string, next_party: string) => ({ next_node, next_party });
export const leaf = { leaf: true } as const;

/** A submit of texts by slug, sealed for everybody who is bound. */
export async function submitOf(
  run: Pick<FlowRun, 'bindings'>,
  texts: Readonly<Record<string, string>>,
  route: ReturnType<typeof to> | typeof leaf,
) {
  const users = [...new Set(Object.values(run.bindings))];
  const answers = Object.entries(texts).map(async ([slug, text]) => ({
    slug,
    values: await Promise.all(users.map(async (user) => ({ for_user_id: user, value: await sealed(text) }))),
  }));
  return { answers: await Promise.all(answers), ...route };
}
