export type { AnswerOptions, FlowAnswer, FlowFileHandle, FlowFill, FlowStep } from './flow-runs.ts';
export type { OpenFlowRun } from './open-run.ts';
export type { FlowFileContent, GeneratedFlowDocuments } from './run-documents.ts';
export type {
  AnswersOf,
  FlowAnswerInput,
  FlowAnswers,
  FlowFileInput,
  FlowPluginInput,
  FlowShape,
  StepKeyOf,
} from './typed-answers.ts';
