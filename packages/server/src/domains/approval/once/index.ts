export { DeliverOnce, type OnceDeps, type Polled, type Told } from './deliver-once.ts';
