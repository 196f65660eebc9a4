/** The files of `deploy/` as the programs read them that they are for. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { findTool, without } from '@symbolon/testkit/tools';
import { parse } from 'yaml';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const folder = temporaryFolder({ after });
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');
type Service = {
  image?: string;
  build?: { target?: string };
  environment?: Readonly<Record<string, string>>;
};

/** What a compose file starts. */
function servicesOf(file: string): { platforms: Service[]; postgres: Service | undefined } {
  const services: Record<string, Service> = parse(read(file), { merge: true }).services;
  const platforms = Object.values(services).filter(({ image }) => /^symbolon(:|$)/.test(image ?? ''));
  assert.ok(platforms.length > 0);
  return { platforms, postgres: services.postgres };
}

/** Runs a program that judges. @returns what it says */
function judged(name: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(findTool(name) ?? name, args, {
    encoding: 'utf8',
    env: { ...process.env, HOME: folder.path, XDG_CONFIG_HOME: folder.path, XDG_DATA_HOME: folder.path },
  });
  assert.equal(status, 0, `${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}

for (const file of ['Caddyfile', 'Caddyfile.regions']) {
  test(`Caddy takes ${file}`, { skip: without('caddy') }, () => {
    const said = judged('caddy', ['validate', '--adapter', 'caddyfile', '--config', join(DEPLOY, file)]);
    assert.match(said, /Valid configuration/);
  });
}

test('nginx takes nginx.conf', { skip: without('nginx', 'openssl') }, () => {
  mkdirSync(folder.file('ssl'));
  const [key, certificate] = [folder.file('ssl/privkey.pem'), folder.file('ssl/fullchain.pem')];
  const subject = ['-subj', '/CN=symbolon.example.com', '-days', '2'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject],
    {
      stdio: 'pipe',
    },
  );
  const server = read('nginx.conf').replaceAll('/etc/ssl/symbolon', folder.file('ssl'));
  assert.notEqual(server, read('nginx.conf'));
  const whole = folder.file('nginx.conf');
  writeFileSync(
    whole,
    `pid ${folder.file('pid')}; error_log stderr; events {} http { access_log off; ${server} }`,
  );
  judged('nginx', ['-t', '-c', whole, '-p', folder.path]);
});

test('systemd takes the unit, and finds it well shut in', { skip: without('systemd-analyze') }, () => {
  const unit = folder.file('symbolon.service');
  // It wants to find the program that the unit starts.
  writeFileSync(unit, read('symbolon.service').replace('/usr/bin/node', process.execPath));
  judged('systemd-analyze', ['verify', unit]);
  // From 0, exposed to nothing, to 100; units without a sandbox have 96.
  judged('systemd-analyze', ['security', '--offline=yes', '--threshold=20', unit]);
});

test('no signal opens a debugger in what the unit starts', () => {
  assert.match(read('symbolon.service'), /^ExecStart=\S*node --disable-sigusr1 /m);
});

for (const file of ['compose.yaml', 'compose.regions.yaml']) {
  test(`every process of ${file} has the least rights, and time to end`, () => {
    for (const service of servicesOf(file).platforms) {
      const { read_only, cap_drop, security_opt, tmpfs, stop_grace_period } = service as Record<
        string,
        unknown
      >;
      assert.deepEqual(
        { read_only, cap_drop, security_opt, tmpfs, stop_grace_period },
        {
          read_only: true,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          tmpfs: ['/tmp'],
          stop_grace_period: '60s',
        },
      );
    }
  });
}

test('every variable of the compose files is one that the platform knows', () => {
  const known = readFileSync(join(DEPLOY, '../docs/configuration.md'), 'utf8');
  const variables = ['compose.yaml', 'compose.regions.yaml'].flatMap((file) =>
    servicesOf(file).platforms.flatMap(({ environment = {} }) => Object.keys(environment)),
  );
  const examples = [...read('regions.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
  assert.ok(examples.length > 0);
  const unknown = new Set([...variables, ...examples]).difference(
    new Set(known.match(/[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+/g)),
  );
  assert.deepEqual([...unknown], []);
});

test('processes on the PostgreSQL of compose.regions.yaml have programs that can back it up', () => {
  const major = (text = '') => Number(/postgres:(\d+)/.exec(text)?.[1]);
  const { platforms, postgres } = servicesOf('compose.regions.yaml');
  for (const { build } of platforms) assert.equal(build?.target, 'postgres');
  const dockerfile = read('Dockerfile');
  assert.match(dockerfile, /^FROM platform AS postgres\nCOPY --from=programs /m);
  assert.ok(major(dockerfile) >= major(postgres?.image), 'pg_dump refuses a newer server');
  // Libraries of another Debian than that below them would not load.
  assert.match(dockerfile, /^ARG RUNTIME=.*-debian12$/m);
  assert.match(dockerfile, /^ARG POSTGRES=.*-bookworm$/m);
});

test('Traefik is told of every process, and asks each how it is', () => {
  const { http } = parse(read('traefik.yaml'));
  const { loadBalancer } = http.services.symbolon;
  assert.equal(loadBalancer.servers.length, 2);
  assert.equal(loadBalancer.healthCheck.path, '/api/health');
  assert.deepEqual(http.routers.symbolon.middlewares, Object.keys(http.middlewares));
});
