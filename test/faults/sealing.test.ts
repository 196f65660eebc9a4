import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { bytesIn, digestOf, issueContract, type TestContract } from '@symbolon/testkit/actors/contracts';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import type { Callable } from '@symbolon/testkit/platform/calls';
import { engineOrAll } from '@symbolon/testkit/platform/engines';
import { UNLIMITED } from '@symbolon/testkit/platform/platform';
import { createMigratedDatabase } from '@symbolon/testkit/platform/postgres-databases';
import { PlatformProcess, processScript } from '@symbolon/testkit/platform/process';
import { startS3 } from '@symbolon/testkit/servers/s3-server';
import { isAtLength } from '@symbolon/testkit/thoroughness';
import type { S3Options } from '../../packages/server/src/core/s3-blobs.ts';

const DYING = { script: processScript('dying') };
const PDF = plainPdf({ pages: 1 });
const COMMITTED = 'act after';
/** From the checks of the act to its commit, in order. */
const STEPS = [
  'seal before',
  'copy after 1',
  'copy after 2',
  'store before',
  'store after',
  COMMITTED,
] as const;

for (const engine of engineOrAll('postgres')) {
  const usual = engine === 'sqlite' ? 'folder' : 's3';
  for (const blobs of isAtLength ? (['folder', 's3'] as const) : ([usual] as const)) {
    test(`a process that dies in a completing act leaves it undone or done (${engine}, ${blobs})`, async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'symbolon-sealing-'));
      const database = engine === 'postgres' ? await createMigratedDatabase() : undefined;
      const s3 = blobs === 's3' ? await startS3() : undefined;
      t.after(async () => {
        s3?.stop();
        await database?.drop();
        await rm(folder, { recursive: true, force: true });
      });
      const environment = {
        ...UNLIMITED,
        SYMBOLON_DATA_DIR: folder,
        SYMBOLON_LOG_LEVEL: 'silent',
        SYMBOLON_SECRET: Buffer.alloc(32, 7).toString('base64'),
        ...(database === undefined ? {} : { DATABASE_URL: database.url }),
        ...(s3 === undefined ? {} : storeOf(s3.options)),
      };
      const platform = await PlatformProcess.create(environment);
      t.after(() => platform.stop());
      await platform.start();
      const service = await createService(platform, await registerCompany(platform));
      const token = await dataToken(platform, service);
      const person = await registerPerson(platform);
      const target = { connection_id: await connect(platform, person, service) };
      const more = { requires_signature: false, requires_acceptance: true };
      const contracts = new Map<string, TestContract>();
      for (const step of STEPS)
        contracts.set(step, await issueContract(platform, { token, target, pdf: PDF, more }));
      await platform.stop();

      const accept = (platform: Callable, { id, digest }: TestContract) =>
        platform.call('POST', `/api/person/documents/${id}/accept`, {
          token: person.token,
          body: { content_sha256: digest, pdf: Buffer.from(PDF).toString('base64') },
        });
      for (const [step, contract] of contracts) {
        const dying = await PlatformProcess.create({ ...environment, SYMBOLON_FAULTS_DIE: step }, DYING);
        await dying.start();
        await assert.rejects(accept(dying, contract), `${step}: it died`);
        await dying.ended();
      }

      await platform.start();
      for (const [step, contract] of contracts) {
        const path = `/api/company-data/documents/${contract.id}`;
        const before = await platform.must('GET', path, { token });
        const isDone = step === COMMITTED;
        assert.deepEqual(
          [before.status, before.signatures.length, before.sealed_at === null],
          isDone ? ['active', 1, false] : ['offering', 0, true],
          step,
        );
        if (!isDone) {
          const sealed = await platform.call('GET', `${path}/sealed-file`, { token });
          assert.equal(sealed.body.error_key, 'documents.not_sealed', step);
          const file = await platform.must('GET', `${path}/file`, { token });
          assert.ok(Buffer.from(PDF).equals(await bytesIn(file)), step);
        }
        // Repeated, the act ends as if nothing had happened.
        const done = await accept(platform, contract);
        assert.deepEqual([done.status, done.body.status], [200, 'active'], `${step} ${done.text}`);
        for (const [kept, by] of [
          [`${path}/sealed-file`, token],
          [`/api/person/documents/${contract.id}/file`, person.token],
        ] as const) {
          const bytes = await bytesIn(await platform.must('GET', kept, { token: by }));
          assert.equal(digestOf(bytes), done.body.sealed_sha256, `${step} ${kept}`);
        }
      }
      const { changes } = await platform.must('GET', '/api/company-data/changes', { token });
      const told = changes.filter(({ event }: { event: string }) => event === 'document_status_changed');
      assert.equal(told.length, STEPS.length, 'each is told once');
    });
  }
}

/** The variables by which a process finds the store. */
function storeOf({ bucketUrl, accessKeyId, secretAccessKey, region }: S3Options): Record<string, string> {
  return {
    SYMBOLON_BLOBS: 's3://bucket/files',
    AWS_ENDPOINT_URL_S3: new URL(bucketUrl).origin,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}
