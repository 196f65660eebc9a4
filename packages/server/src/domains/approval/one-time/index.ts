export { DeliverOnce, type OnceDeps, type PollAnswer, type Outcome } from './deliver-once.ts';
