import type { FlowAnswers } from '@symbolon/sdk/device';
import { envelopeOf } from '../chosen-file.ts';
import type { Submitted } from './step.ts';

/** Answers with those that are files. */
export function withEnvelopes(answers: FlowAnswers, files: Submitted['files']): FlowAnswers {
  const envelopes = [...files].map(([slug, { type, chosen, entries }]) => [
    slug,
    { envelope: envelopeOf(type, chosen, entries) },
  ]);
  return { ...answers, ...Object.fromEntries(envelopes) };
}
