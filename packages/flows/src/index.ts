export {
  type FlowCondition,
  type FlowConstant,
  FlowDefinition,
  type FlowEdge,
  type FlowElement,
  type FlowExpression,
  type FlowField,
  type FlowNode,
  type FlowOutput,
  type FlowParty,
  type FlowPlugin,
  type FlowRule,
  type FlowText,
  type PluginSnapshot,
} from '@symbolon/protocol';
export { type AnswerIssue, type Choice, checkAnswers, choicesOf } from './check-answers.ts';
export { checkDefinition, checkDraft, type Surroundings } from './check-definition.ts';
export { boundOf, defaultOf, isExpression } from './computed.ts';
export { holds } from './condition.ts';
export { withConstants } from './constants.ts';
export { type Evaluation, evaluate } from './expression.ts';
export { type FilledPiece, fillText, type TagFiller } from './filled-text.ts';
export type { FlowIssue, FlowIssueCode } from './issue.ts';
export { type ChosenOutput, chooseOutputs } from './outputs.ts';
export { partiesInUse } from './parties.ts';
export { type ElementView, type PartyView, partyView, type Standing, type StepView } from './party-view.ts';
export { pluginValues } from './plugin-answer.ts';
export { readPluginRequest } from './plugin-request.ts';
export { decideRoute, followWay, isPossibleRoute, type Route, type Way } from './route.ts';
export { bundleValues, documentValues, type RunState, valuesOf, valuesOfTexts } from './run-values.ts';
export { type ConnectionSource, connectionSourceKey, connectionSources } from './sources.ts';
export { ownerTagsAmong, type PartyTags, partyTags, tagsOfText } from './tags.ts';
export { bodyOf } from './text.ts';
export { upgradeDefinition } from './upgrade.ts';
export { isAnswered, textOf, type Values } from './values.ts';
export { type TemplateTags, warningsOf } from './warnings.ts';
