import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { codeFor, createApp } from '@symbolon/testkit/actors/sign-ins';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { type Limiter, memoryLimits } from '../../../access/limit-store.ts';
import { UsedCodes } from './used-codes.ts';

onEachEngine('codes that are used in several processes', (platform) => {
  /** Two processes that count at one place, and a sign-in whose code neither has seen used. */
  const start = async () => {
    let shared: Limiter | undefined;
    const limiter: typeof memoryLimits.limiter = (options) => {
      shared ??= memoryLimits.limiter(options);
      return shared;
    };
    const { context } = platform();
    const deps = { ...context, limitStore: { ...memoryLimits, limiter } };
    const shop = await createApp(platform(), await registerCompany(platform()));
    await codeFor(platform(), shop);
    const signIn = await context.database.reader
      .selectFrom('sign_ins')
      .select(['company_id', 'id', 'client_id'])
      .where('company_id', '=', shop.companyId)
      .executeTakeFirstOrThrow();
    const use = (codes: UsedCodes, savingPaused: boolean) =>
      codes.use(signIn, { hasPlaintext: false, savingPaused });
    /** As when the place where they count has started again. */
    const forget = async () => shared?.delete(signIn.id);
    return { deps, one: new UsedCodes(deps), other: new UsedCodes(deps), use, forget };
  };

  test('a use that is not saved yet counts in a process that saves again', async () => {
    const { one, other, use } = await start();
    assert.equal(await use(one, true), true);
    assert.equal(await use(other, false), false);
  });

  test('a use that is not saved yet counts in its process, whatever the others forget', async () => {
    const { one, use, forget } = await start();
    assert.equal(await use(one, true), true);
    await forget();
    assert.equal(await use(one, true), false);
  });

  test('a use that is saved counts in a process for which saving is paused', async () => {
    const { one, other, use } = await start();
    assert.equal(await use(one, false), true);
    assert.equal(await use(other, true), false);
  });

  test('a use that fails uses nothing up', async () => {
    const { deps, one, use } = await start();
    const write = () => Promise.reject(new Error('The disk is full.'));
    const failing = new UsedCodes({ ...deps, database: { ...deps.database, write } });
    await assert.rejects(use(failing, false), /The disk is full/);
    assert.equal(await use(one, false), true);
  });
});
