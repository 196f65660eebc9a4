import assert from 'node:assert/strict';
import type { FlowRun } from '@symbolon/protocol';
import { openSealed } from '@symbolon/testkit/actors/actors';

/** The states through which a run of the test goes, in order. */
const STAGES = ['awaiting_tenant', 'awaiting_landlord', 'generating', 'awaiting_signature', 'completed'];
const NODES: Readonly<Record<string, string | null>> = {
  awaiting_tenant: 'tenant',
  awaiting_landlord: 'offer',
  generating: 'offer',
};
const OF_TENANT = ['tenant_name', 'move_in'];
const OF_BOTH = [...OF_TENANT, 'landlord_name', 'rent'];

/** What is known of one run: what was sent, what of it the platform acknowledged. */
export interface KnownRun {
  readonly id: string;
  /** Texts that were sent for each slug: one submit has one text for all of its slugs. */
  readonly sent: Map<string, Set<string>>;
  /** The answers as they were first read: they never change again. */
  readonly answered: Map<string, string>;
  /** The furthest that it was read to be. */
  stage: number;
  /** The ids of its documents, since they were first read. */
  documents: string | undefined;
}

export const knownRun = (id: string): KnownRun => ({
  id,
  sent: new Map(),
  answered: new Map(),
  stage: 0,
  documents: undefined,
});

/**
 * Checks that a run stands between two acts, never within one, and that nothing of what it was has gone.
 * @param least its stage as it was known before it was read
 */
export async function checkRun(known: KnownRun, run: FlowRun, least: number): Promise<void> {
  const { status } = run;
  const about = `run ${run.id}, ${status}`;
  const stage = STAGES.indexOf(status);
  assert.ok(stage >= least, `${about}: it was ${STAGES[least]}`);
  known.stage = Math.max(known.stage, stage);
  assert.equal(run.current_node, NODES[status] ?? null, about);

  const slugs = [[], OF_TENANT][stage] ?? OF_BOTH;
  assert.deepEqual(
    run.answers.map(({ slug }) => slug),
    slugs,
    about,
  );
  const texts = new Map<string, string>();
  for (const { slug, value } of run.answers) {
    const text = await openSealed(value);
    assert.ok(known.sent.get(slug)?.has(text), `${about}: ${slug} is ${text}, which was never sent`);
    assert.equal(text, known.answered.get(slug) ?? text, `${about}: ${slug} has changed`);
    known.answered.set(slug, text);
    texts.set(slug, text);
  }
  for (const step of [OF_TENANT, OF_BOTH.slice(OF_TENANT.length)])
    assert.ok(new Set(step.map((slug) => texts.get(slug))).size <= 1, `${about}: answers of two submits`);

  const documents = run.participants.flatMap((each) => each.documents);
  assert.equal(documents.length, stage < STAGES.indexOf('awaiting_signature') ? 0 : 2, about);
  const ids = documents.map(({ document_id }) => document_id).join(' ');
  if (documents.length > 0) {
    assert.equal(ids, known.documents ?? ids, `${about}: other documents`);
    known.documents = ids;
  }
  const [first, second] = documents;
  const standing = [first?.document_status, second?.document_status].join(' ');
  if (status === 'awaiting_signature')
    assert.ok(['offering waiting', 'offering offering'].includes(standing), `${about}: ${standing}`);
  if (status === 'completed') assert.equal(standing, 'active active', about);
}
