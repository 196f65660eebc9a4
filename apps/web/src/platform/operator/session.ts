import type { AdminReadiness } from '@symbolon/protocol';
import { SymbolonError } from '@symbolon/sdk/device';
import { useSyncExternalStore } from 'react';
import { tabSettings } from '../../text/settings.ts';
import { distrust, dropAnswers } from '../queries.ts';
import {
  isRefused,
  operatorCall,
  setOperatorToken,
  whenOperatorActed,
  whenOperatorRefused,
} from './inner/api.ts';

/**
 * The token stays in this tab: a page that is loaded again goes on, a tab that is closed forgets it, and no other tab or site
 * learns of it. The platform has no session of it that could be ended.
 */
const STORED = 'symbolon.operator';
/** What begins the names of what is typed into forms and not sent: it outlives a token that is taken no more. */
export const OPERATOR_FORMS = 'symbolon.operator.form.';
/** There for a token that only reads. */
const READS = 'symbolon.operator.reads';
let onlyReads = tabSettings.read(READS) !== undefined;
const SHAPE = /^[!-~]{32,512}$/;

export type OperatorState = 'in' | 'out' | 'refused';
let current: OperatorState = 'out';
const listeners = new Set<() => void>();

function become(next: OperatorState): void {
  if (current === 'in' && next !== 'in') dropAnswers('operator');
  current = next;
  for (const listener of listeners) listener();
}

function forget(next: 'out' | 'refused'): void {
  tabSettings.drop(STORED);
  tabSettings.drop(READS);
  onlyReads = false;
  setOperatorToken(undefined);
  become(next);
}

const kept = tabSettings.read(STORED);
if (kept !== undefined) {
  setOperatorToken(kept);
  current = 'in';
}
whenOperatorActed(() => distrust('operator'));
whenOperatorRefused(() => current === 'in' && forget('refused'));

/** Whether an operator is signed in; `refused`: one was, and the platform takes the token no more. */
export function useOperatorState(): OperatorState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** Whether the token that is signed in changes anything; it stays so until another one is. */
export const mayAct = (): boolean => !onlyReads;

/** Why a token does not let its owner in. */
export type NoEntry = 'shape' | 'wrong' | 'none';

/** @returns why not; undefined when it does @throws SymbolonError when the platform does not say */
export async function signInAsOperator(typed: string): Promise<NoEntry | undefined> {
  const token = typed.trim();
  // Others the platform cannot have, and a header could not carry.
  if (!SHAPE.test(token)) return 'shape';
  setOperatorToken(token);
  try {
    const { may_act } = await operatorCall<AdminReadiness>('GET', '/readiness');
    onlyReads = !may_act;
  } catch (error) {
    setOperatorToken(undefined);
    if (isRefused(error)) return 'wrong';
    if (error instanceof SymbolonError && error.errorKey === 'request.not_found') return 'none';
    throw error;
  }
  tabSettings.keep(STORED, token);
  if (onlyReads) tabSettings.keep(READS, 'yes');
  become('in');
  return undefined;
}

export function signOutAsOperator(): void {
  tabSettings.dropAll(OPERATOR_FORMS);
  forget('out');
}
