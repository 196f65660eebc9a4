import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, registerPerson } from '@symbolon/testkit/actors/actors';
import { bytesIn, digestOf, issueContract, type TestContract } from '@symbolon/testkit/actors/contracts';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import type { Callable } from '@symbolon/testkit/platform/calls';
import { engineOrAll } from '@symbolon/testkit/platform/engines';
import { openPlace } from '@symbolon/testkit/platform/places';
import { PlatformProcess, processScript } from '@symbolon/testkit/platform/process';
import { startS3 } from '@symbolon/testkit/servers/s3-server';
import { isAtLength, someOf } from '@symbolon/testkit/thoroughness';
import type { S3Options } from '../../packages/server/src/core/s3-objects.ts';

const DYING = { script: processScript('dying') };
const PDF = plainPdf({ pages: 1 });
const COMMITTED = 'act after';
/** From the checks of the act to its commit, in order. */
const STEPS = [
  ...someOf(['seal before', 'copy after 1', 'copy after 2', 'store before', 'store after'], 1),
  COMMITTED,
];

for (const engine of engineOrAll('postgres')) {
  const usual = engine === 'sqlite' ? 'folder' : 's3';
  for (const blobs of isAtLength ? (['folder', 's3'] as const) : ([usual] as const)) {
    test(`a process that dies in a completing act leaves it undone or done (${engine}, ${blobs})`, async (t) => {
      await using place = await openPlace(engine);
      const s3 = blobs === 's3' ? await startS3() : undefined;
      t.after(() => s3?.stop());
      const environment = { ...place.environment, ...(s3 && storeOf(s3.options)) };
      await using platform = await PlatformProcess.create(environment);
      await platform.start();
      const { service, token } = await openShop(platform);
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
      assert.equal(told.length, STEPS.length, 'each is delivered once');
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
