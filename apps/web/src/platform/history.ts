import type { PersonEvent, SignIn } from '@symbolon/protocol';
import { call } from './inner/api.ts';
import { keys, type Query } from './queries.ts';

/** Sign-ins to the account, and changes of what signs in to it. */
export const historyQuery: Query<PersonEvent[]> = {
  key: keys.history,
  read: async () => (await call<{ items: PersonEvent[] }>('GET', '/api/person/history')).items,
};

const SIGN_INS = '/api/person/sign-ins';

/** What the person answered to apps and sites. */
export const signInsQuery: Query<SignIn[]> = {
  key: keys.signIns,
  read: async () => (await call<{ sign_ins: SignIn[] }>('GET', SIGN_INS)).sign_ins,
};
/** Ends what the app of a sign-in can still read. */
export const revokeSignIn = (id: string) => call('DELETE', `${SIGN_INS}/${encodeURIComponent(id)}`);
