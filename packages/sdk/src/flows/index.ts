export { answersNotIn, type Comparison, type PdfText, type ShownAnswer } from './document-answers.ts';
export {
  type AnswerOptions,
  type FlowAnswer,
  FlowFileHandle,
  type FlowFill,
  type FlowStep,
} from './flow-runs.ts';
export type { OpenFlowRun } from './open-run.ts';
export type { FlowFileContent } from './run-documents.ts';
export type {
  AnswersOf,
  FlowAnswerInput,
  FlowAnswers,
  FlowFileInput,
  FlowPluginInput,
  FlowShape,
  StepKeyOf,
} from './typed-answers.ts';
