export { DeliverOnce, type OnceDeps, type Outcome, type PollAnswer } from './deliver-once.ts';
