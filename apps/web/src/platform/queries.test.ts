import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type QueryKey, QueryObserver } from '@tanstack/react-query';
import { portalKeys } from './portal/keys.ts';
import {
  answers,
  changeFound,
  dropAnswers,
  keys,
  optionsOf,
  outdatedBy,
  type Query,
  readAgain,
} from './queries.ts';

/** Shows what a query finds, as a page does. @returns what is shown, and ends that when it is disposed of */
function shown(query: Query<string>) {
  const observer = new QueryObserver<string, unknown>(answers, optionsOf(query));
  const end = observer.subscribe(() => undefined);
  return {
    get found() {
      return observer.getCurrentResult().data;
    },
    get error() {
      return observer.getCurrentResult().error ?? undefined;
    },
    become: (next: Query<string>) => observer.setOptions(optionsOf(next)),
    [Symbol.dispose]: end,
  };
}

/** Answers in the order in which the test gives them. */
function asked(key: Query<string>['key'], part?: string) {
  const questions: PromiseWithResolvers<string>[] = [];
  const read = () => {
    const question = Promise.withResolvers<string>();
    questions.push(question);
    return question.promise;
  };
  return { questions, query: { key, read, ...(part !== undefined && { part }) } };
}

/** Until all that was answered has been taken. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const keyOf = (query: Query<string>): QueryKey => optionsOf(query).queryKey;

afterEach(() => answers.clear());

test('an answer that arrives late overwrites no newer one, and neither does its failure', async () => {
  const { questions, query } = asked(keys.runs);
  using page = shown(query);
  readAgain(keyOf(query));
  readAgain(keyOf(query));
  const [slow, failing, newest] = questions;
  newest?.resolve('the newest');
  await settled();
  slow?.resolve('too late');
  failing?.reject(new Error('too late'));
  await settled();
  assert.deepEqual([page.found, page.error, questions.length], ['the newest', undefined, 3]);
});

test('what was found goes when something else is asked for, and stays while a larger part of the same is read', async () => {
  const [waiting, completed] = [
    asked(portalKeys.companyRuns('waiting')),
    asked(portalKeys.companyRuns('completed')),
  ];
  using page = shown(waiting.query);
  waiting.questions[0]?.resolve('runs that wait');
  await settled();
  page.become({ ...waiting.query, part: 100 });
  assert.equal(page.found, 'runs that wait');
  page.become(completed.query);
  assert.equal(page.found, undefined);
  waiting.questions[1]?.resolve('more runs that wait');
  completed.questions[0]?.resolve('runs that are over');
  await settled();
  assert.equal(page.found, 'runs that are over');
});

test('a failure keeps what was found', async () => {
  const { questions, query } = asked(keys.runs);
  using page = shown(query);
  questions[0]?.resolve('an answer');
  await settled();
  const again = readAgain(keyOf(query));
  const failure = new Error('away');
  questions[1]?.reject(failure);
  await again;
  assert.deepEqual([page.found, page.error], ['an answer', failure]);
});

test('what was asked before an act does not undo the act, and is asked again', async () => {
  const { questions, query } = asked(keys.runs);
  using page = shown(query);
  questions[0]?.resolve('one');
  await settled();
  readAgain(keyOf(query));
  changeFound<string>(keyOf(query), (before) => `${before} two`);
  questions[1]?.resolve('of before');
  await settled();
  assert.deepEqual([page.found, questions.length], ['one two', 3]);
  questions[2]?.resolve('one two three');
  await settled();
  changeFound(keyOf(query), () => 'four');
  assert.deepEqual([page.found, questions.length], ['four', 3], 'nothing was asked');
});

test('a signal has read again what it is about, once, and nothing else', async () => {
  const [thread, other, runs] = [asked(keys.thread('a')), asked(keys.thread('b')), asked(keys.runs)];
  using _thread = shown(thread.query);
  using _other = shown(other.query);
  using _runs = shown(runs.query);
  for (const { questions } of [thread, other, runs]) questions[0]?.resolve('read');
  await settled();
  const counts = () => [thread, other, runs].map(({ questions }) => questions.length);
  outdatedBy('message', 'a');
  assert.deepEqual(counts(), [2, 1, 1]);
  for (const { questions } of [thread, other, runs]) questions.at(-1)?.resolve('read');
  await settled();
  outdatedBy();
  assert.deepEqual(counts(), [3, 2, 2], 'it is not known what happened');
});

test('nothing stays of a person who is signed out', async () => {
  const { questions, query } = asked(keys.runs);
  {
    using _page = shown(query);
    questions[0]?.resolve('a run');
    await settled();
  }
  assert.equal(answers.getQueryData(keyOf(query)), 'a run');
  dropAnswers('portal');
  assert.equal(answers.getQueryData(keyOf(query)), 'a run');
  dropAnswers('person');
  assert.equal(answers.getQueryData(keyOf(query)), undefined);
});
