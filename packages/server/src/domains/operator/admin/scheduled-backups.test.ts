import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { engines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import {
  FakeClock,
  OPERATOR,
  onPlatform,
  type RunningPlatform,
  startPlatform,
} from '@symbolon/testkit/platform/platform';
import { without } from '@symbolon/testkit/tools';
import { sql } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '../../../core/config.ts';
import { createFrontDoorContext } from '../../../roles/front-door.ts';
import { stopServing } from '../../../roles/server.ts';
import {
  checkBackup,
  createKeyPair,
  decryptFile,
  type KeyPair,
  lastBackups,
  openPlace,
  PROVED,
  restoreInto,
} from '../backup/index.ts';
import { createBackups } from './backup-domain.ts';
import { Backups } from './backups.ts';
import { ScheduledBackups } from './scheduled-backups.ts';

const HOUR_MS = 3_600_000;
const { signal } = new AbortController();

for (const engine of engines) {
  const skip = engine === 'postgres' && without('pg_dump', 'pg_restore');
  describe(`backups on a schedule (${engine})`, { skip }, () => {
    const folder = temporaryFolder({ after });
    let to: string;
    const lines: string[] = [];
    let platform: RunningPlatform;
    let key: KeyPair;
    let backups: ScheduledBackups;
    before(async () => {
      to = folder.file('backups');
      key = await createKeyPair();
      platform = await startPlatform(
        engine,
        { SYMBOLON_BACKUP_TO: to, SYMBOLON_BACKUP_RECIPIENTS: key.recipient, SYMBOLON_BACKUP_KEEP: '2' },
        new FakeClock(),
        { log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) },
      );
      await registerCompany(platform);
      await platform.context.settings.start();
      backups = new ScheduledBackups({ ...platform.context, backups: made(), place });
    });
    after(() => platform.stop());

    const place = () => openPlace(platform.context.config.backup.place ?? assert.fail('There is a place.'));
    const made = () => new Backups({ ...platform.context, blobs: platform.context.blobStore });
    const operate = (method: string, path: string) =>
      platform.call(method, `/api/admin${path}`, { token: OPERATOR });
    const names = (ending: string) =>
      existsSync(to)
        ? readdirSync(to)
            .filter((name) => name.endsWith(ending))
            .sort()
        : [];
    const proofOf = (name: string) => JSON.parse(readFileSync(`${to}/${name}.proof`, 'utf8'));
    const leftIn = (path: string) => readdirSync(path).filter((name) => name.startsWith('backup-'));

    test('a start says that programs are missing which they need', {
      skip: engine === 'sqlite' && 'it needs no program',
    }, async () => {
      const said: string[] = [];
      const log = pino({}, { write: (line: string) => void said.push(line) });
      const core = { ...platform.context, log };
      await createBackups(core).domain.prepare?.();
      assert.deepEqual(said, []);
      await createBackups(core, async () => undefined).domain.prepare?.();
      assert.equal(said.length, 1);
      assert.match(said[0] ?? '', /"level":50.*no backup can be made: pg_dump is not installed here/);
    });

    test('one that is due is made, encrypted, and restored on trial', async () => {
      await backups.look(signal);
      const [name = ''] = names('.backup.age');
      assert.match(name, /^symbolon-local-2026-01-31T09-30-00-000Z\.backup\.age$/, lines.join(''));
      const proof = proofOf(name);
      assert.equal(proof.engine, engine);
      assert.ok(proof.rows > 0 && proof.opened > 0, JSON.stringify(proof));
      const last = await lastBackups(platform.context.config);
      assert.deepEqual(last, { madeAt: platform.clock.now(), provedAt: platform.clock.now() });
      const plain = folder.file('plain');
      await decryptFile(`${to}/${name}`, plain, [key.identity]);
      const { manifest } = await checkBackup(plain);
      assert.deepEqual(proof.keys, manifest.keys);
      assert.match(manifest.keys?.['1'] ?? '', /^[0-9a-f]{12}$/);
      const other = await createKeyPair();
      await assert.rejects(decryptFile(`${to}/${name}`, `${plain}-2`, [other.identity]), /does not open/);
      assert.deepEqual(leftIn(platform.dataDir), []);
      if (engine !== 'postgres') return;
      const { rows } = await sql`select 1 from pg_database where datname like 'symbolon_proof_%'`.execute(
        platform.context.database.reader as never,
      );
      assert.deepEqual(rows, []);
    });

    test('none is made before the next is due, nor while another process makes it', async () => {
      const { clock, context } = platform;
      clock.advance(23 * HOUR_MS);
      await backups.look(signal);
      assert.equal(names('.backup.age').length, 1);
      clock.advance(HOUR_MS);
      assert.ok(await context.settings.claim('backup.claim', 'another', HOUR_MS));
      await backups.look(signal);
      assert.equal(names('.backup.age').length, 1);
      // It died: its claim runs out.
      clock.advance(HOUR_MS);
      await backups.look(signal);
      assert.equal(names('.backup.age').length, 2);
    });

    test('the newest proven ones stay, and no others', async () => {
      platform.clock.advance(24 * HOUR_MS);
      await backups.look(signal);
      const kept = names('.backup.age');
      assert.equal(kept.length, 2);
      assert.ok(!kept.some((name) => name.includes('2026-01-31')));
      assert.deepEqual(
        names('.proof'),
        kept.map((name) => `${name}.proof`),
      );
    });

    test('one that cannot be restored does not count, and is tried again half an hour later', async () => {
      const { clock, context } = platform;
      const proved = context.settings.get(PROVED);
      let attempts = 0;
      const damaged = new ScheduledBackups({
        ...context,
        place,
        backups: {
          async make() {
            attempts++;
            const bytes = await buffer(await made().make());
            const middle = bytes.length >> 1;
            bytes[middle] = (bytes[middle] ?? 0) ^ 1;
            return Readable.from([bytes]);
          },
        },
      });
      clock.advance(24 * HOUR_MS);
      const before = names('.backup.age');
      for (const [minutes, expected] of [
        [0, 1],
        [29, 1],
        [1, 2],
        [30, 3],
      ] as const) {
        clock.advance(minutes * 60_000);
        await damaged.look(signal);
        assert.equal(attempts, expected);
      }
      assert.equal(context.settings.get(PROVED), proved);
      const { failed } = (await operate('GET', '/backup-state')).body;
      assert.equal(failed.at, new Date(clock.now()).toISOString());
      assert.match(failed.reason, /damaged/);
      assert.ok(lines.some((line) => /backup failed.*half an hour/.test(line) && /damaged/.test(line)));
      const unproven = names('.backup.age').filter((name) => !before.includes(name));
      assert.equal(unproven.length, 2, 'the newest two stay to be looked at');
      assert.ok(before.every((name) => names('.backup.age').includes(name)));
      assert.deepEqual(leftIn(platform.dataDir), []);
    });

    test('the operator asks for one, which is made though none is due, and sees what was found', async () => {
      const { clock } = platform;
      const asked = await operate('POST', '/backups');
      assert.deepEqual([asked.status, asked.body.asked_at], [202, new Date(clock.now()).toISOString()]);
      await backups.look(signal);
      await backups.look(signal);
      const state = (await operate('GET', '/backup-state')).body;
      assert.deepEqual(
        [state.asked_at, state.failed, state.proved_at, state.schedule.keep, state.schedule.encrypted],
        [null, null, new Date(clock.now()).toISOString(), 2, true],
      );
      const { backups: listed } = (await operate('GET', '/backups')).body;
      assert.deepEqual(
        listed.map(({ name }: { name: string }) => name),
        names('.backup.age').reverse(),
      );
      const [newest] = listed;
      const { proved_at, version, rows, blobs, opened } = proofOf(newest.name);
      assert.deepEqual(newest.proof, { proved_at, version, rows, blobs, opened });
      assert.ok(
        listed.some(({ proof }: { proof: unknown }) => proof === null),
        'unproven ones are shown as such',
      );
    });
  });
}

onPlatform('without a schedule', (platform) => {
  const operate = (method: string, path: string) =>
    platform().call(method, `/api/admin${path}`, { token: OPERATOR });

  test('there are no backups of it, and none can be asked of it', async () => {
    const { body } = await operate('GET', '/backup-state');
    assert.deepEqual(body, { made_at: null, proved_at: null, asked_at: null, failed: null, schedule: null });
    assert.deepEqual((await operate('GET', '/backups')).body, { backups: [] });
    const refused = await operate('POST', '/backups');
    assert.deepEqual([refused.status, refused.body.error_key], [409, 'admin.backup_unavailable']);
    assert.match(refused.body.error, /SYMBOLON_BACKUP_TO/);
  });
});

test('the directory of a front door is backed up on its schedule, and restored into a front door alone', async (t) => {
  const folder = temporaryFolder(t);
  const to = folder.file('backups');
  const environment = {
    SYMBOLON_ROLES: 'front-door',
    SYMBOLON_REGIONS: 'eu=http://127.0.0.1:1',
    SYMBOLON_FRONT_DOOR_URL: 'http://127.0.0.1:2',
    SYMBOLON_SECRET: Buffer.alloc(32, 7).toString('base64'),
    SYMBOLON_DATA_DIR: folder.file('data'),
    SYMBOLON_BACKUP_TO: to,
    SYMBOLON_BACKUP_RECIPIENTS: 'none',
  };
  const log = pino({ level: 'silent' });
  const serving = await createFrontDoorContext(readConfig(environment), { clock: new FakeClock(), log });
  const schedule = serving.domain.workers.find((worker) => worker instanceof ScheduledBackups);
  assert.equal(schedule?.role, 'front-door');
  await schedule.start();
  const name = await eventually('a proven backup is there', () =>
    existsSync(to) ? readdirSync(to).find((one) => one.endsWith('.proof')) : undefined,
  );
  await stopServing(serving);
  assert.match(name, /^symbolon-front-door-.*\.backup\.proof$/);

  const file = `${to}/${name.replace(/\.proof$/, '')}`;
  const elsewhere = { ...environment, SYMBOLON_DATA_DIR: folder.file('elsewhere') };
  await assert.rejects(
    restoreInto(readConfig({ ...elsewhere, SYMBOLON_ROLES: 'region,worker', SYMBOLON_REGION: 'eu' }), file),
    /of the directory of a front door, and this installation is the region eu/,
  );
  const secret = Buffer.alloc(32, 8).toString('base64');
  await assert.rejects(
    restoreInto(readConfig({ ...elsewhere, SYMBOLON_SECRET: secret }), file),
    /made under another secret \([0-9a-f]{12}\) than that of SYMBOLON_SECRET \([0-9a-f]{12}\)/,
  );
  assert.equal(existsSync(elsewhere.SYMBOLON_DATA_DIR), false);
  const { manifest } = await restoreInto(readConfig(elsewhere), file);
  assert.equal(manifest.region, 'front-door');
});
