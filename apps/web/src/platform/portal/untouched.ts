import { deleteFlow, type FlowPlace } from './flows.ts';

/** Flows that were begun on this page and not changed since. */
const untouched = new Set<string>();
const open = new Set<string>();
let leaving: Promise<unknown> = Promise.resolve();

/** A flow was made so that it can be drawn. Its author may turn back before anything is drawn. */
export const beganFlow = (flowId: string): void => {
  untouched.add(flowId);
};

/** From now on the flow stays: something of it was changed. */
export const touchedFlow = (flowId: string): void => {
  untouched.delete(flowId);
};

/** An editor shows the flow. @returns what ends that; nothing is left of a flow that was begun and not touched */
export function openedFlow(place: FlowPlace, remove = deleteFlow): () => void {
  open.add(place.flowId);
  return () => {
    open.delete(place.flowId);
    if (!untouched.has(place.flowId)) return;
    // A page that is only redrawn opens it again at once.
    leaving = Promise.resolve().then(async () => {
      if (open.has(place.flowId) || !untouched.delete(place.flowId)) return;
      await remove(place).catch(() => undefined);
    });
  };
}

/** Resolves once nothing is left of flows that were turned away from: a list that is read then is right. */
export const leftFlows = (): Promise<unknown> => leaving;
