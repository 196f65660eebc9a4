/** The chart of `deploy/helm`, rendered by Helm and judged by the types of Kubernetes, the rules of its policy `restricted` and the platform. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { findTool, without } from '@symbolon/testkit/tools';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { Container, PodSpec, PodTemplateSpec, Service } from 'kubernetes-types/core/v1.d.ts';
import type { Ingress } from 'kubernetes-types/networking/v1.d.ts';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../packages/server/src/core/config.ts';

const ROOT = join(import.meta.dirname, '../..');
const CHART = join(ROOT, 'deploy/helm/symbolon');
const folder = temporaryFolder({ after });

type Manifest = { apiVersion: string; kind: string; metadata: { name: string; annotations?: object } };
type Values = Readonly<Record<string, unknown>>;

const ON_POSTGRES: Values = {
  publicUrl: 'https://symbolon.example.com',
  settings: { SYMBOLON_BLOBS: 's3://bucket', SYMBOLON_TRUST_PROXY: '1', SYMBOLON_RATE_TOKEN: '100' },
};
const EMBEDDED: Values = {
  publicUrl: 'https://symbolon.example.com',
  database: 'embedded',
  web: { replicas: 1 },
  worker: { replicas: 0 },
  secret: { name: '', keys: [] },
};
const VALUES: Readonly<Record<string, Values>> = {
  'on PostgreSQL': ON_POSTGRES,
  'with everything': {
    ...ON_POSTGRES,
    image: { repository: 'registry.example.com/symbolon', tag: 'postgres', withPostgres: true },
    settings: { SYMBOLON_BACKUP_TO: 's3://backups', SYMBOLON_BACKUP_RECIPIENTS: 'none' },
    files: { existingClaim: 'files' },
    worker: { replicas: 0 },
    strategy: 'RollingUpdate',
    ingress: { enabled: true, className: 'nginx', annotations: { a: 'b' }, tlsSecret: 'tls' },
    imagePullSecrets: [{ name: 'registry' }],
    podLabels: { team: 'data' },
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'a', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    secret: { name: 'own', keys: ['DATABASE_URL', 'SYMBOLON_SECRET', 'SYMBOLON_OPERATOR_TOKEN'] },
  },
  embedded: EMBEDDED,
};

function helm(command: 'template' | 'lint', values: Values) {
  const file = folder.file('values.json');
  writeFileSync(file, JSON.stringify(values));
  const args = command === 'lint' ? ['lint', '--strict', CHART] : ['template', 'eu', CHART];
  return spawnSync(findTool('helm') ?? 'helm', [...args, '--values', file], {
    encoding: 'utf8',
    env: {
      ...process.env,
      HELM_CACHE_HOME: folder.path,
      HELM_CONFIG_HOME: folder.path,
      HELM_DATA_HOME: folder.path,
    },
  });
}

const made = new Map<Values, Manifest[]>();

function rendered(values: Values): Manifest[] {
  const known = made.get(values);
  if (known !== undefined) return known;
  const { status, stdout, stderr } = helm('template', values);
  assert.equal(status, 0, stderr);
  // Kubernetes reads YAML 1.1, in which 0440 is an octal number.
  const manifests = parseAllDocuments(stdout, { version: '1.1' }).map((document) => document.toJS());
  made.set(values, manifests);
  return manifests;
}

const ofKind = <T>(manifests: readonly Manifest[], kind: string): T[] =>
  manifests.filter((one) => one.kind === kind) as unknown as T[];

function podsOf(
  manifests: readonly Manifest[],
): { template: PodTemplateSpec; spec: PodSpec; container: Container }[] {
  return [...ofKind<Deployment>(manifests, 'Deployment'), ...ofKind<Job>(manifests, 'Job')].map(
    ({ spec }) => {
      const template = spec?.template;
      assert.ok(template?.spec?.containers[0]);
      return { template, spec: template.spec, container: template.spec.containers[0] };
    },
  );
}

describe('the chart of Helm', { skip: without('helm') }, () => {
  for (const [name, values] of Object.entries(VALUES)) {
    test(`passes Helm's own examination (${name})`, () => {
      const { status, stdout, stderr } = helm('lint', values);
      assert.equal(status, 0, `${stdout}${stderr}`);
    });

    test(`fits what the policy "restricted" allows, on a read-only root (${name})`, () => {
      for (const { spec, container } of podsOf(rendered(values))) {
        assert.equal(spec.containers.length, 1);
        const { runAsNonRoot, runAsUser, seccompProfile } = spec.securityContext ?? {};
        assert.deepEqual([runAsNonRoot, runAsUser, seccompProfile?.type], [true, 10_001, 'RuntimeDefault']);
        assert.deepEqual(container.securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        assert.ok(!spec.hostNetwork && !spec.hostPID && !spec.hostIPC && !spec.automountServiceAccountToken);
        for (const { name: _name, ...source } of spec.volumes ?? []) {
          const [kind = ''] = Object.keys(source);
          assert.ok(['emptyDir', 'persistentVolumeClaim', 'secret'].includes(kind), kind);
        }
        const mounted = container.volumeMounts?.map((mount) => mount.name).sort();
        assert.deepEqual(mounted, spec.volumes?.map((volume) => volume.name).sort());
        for (const path of ['/data', '/tmp'])
          assert.ok(container.volumeMounts?.some(({ mountPath }) => mountPath === path));
      }
    });

    test(`has nothing that one part waits for (${name})`, () => {
      const manifests = rendered(values);
      for (const { metadata } of manifests) assert.doesNotMatch(JSON.stringify(metadata), /helm\.sh\/hook"/);
      for (const { spec } of podsOf(manifests)) assert.equal(spec.initContainers, undefined);
      const jobs = ofKind<Job>(manifests, 'Job');
      assert.equal(jobs.length, values === EMBEDDED ? 0 : 1);
      for (const { spec } of jobs) {
        const [container] = spec?.template.spec?.containers ?? [];
        assert.deepEqual(container?.args, ['migrate']);
        assert.equal(container?.livenessProbe, undefined);
        assert.equal(spec?.template.spec?.restartPolicy, 'OnFailure');
      }
    });

    test(`gives the platform settings that it takes (${name})`, () => {
      const secrets: Readonly<Record<string, string>> = {
        DATABASE_URL: 'postgres://me:hidden@db.example/symbolon',
        SYMBOLON_SECRET: Buffer.alloc(32).toString('base64'),
        SYMBOLON_OPERATOR_TOKEN: 'x'.repeat(32),
      };
      for (const { container, spec } of podsOf(rendered(values))) {
        const environment = Object.fromEntries(
          (container.env ?? []).map(({ name: variable, value = 'pod-1' }) => [variable, value]),
        );
        for (const volume of spec.volumes ?? []) {
          for (const { key } of volume.secret?.items ?? []) {
            writeFileSync(folder.file(key), secrets[key] ?? '');
            environment[`${key}_FILE`] = folder.file(key);
          }
        }
        const aws = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'eu' };
        const config = readConfig({ ...environment, ...aws });
        assert.equal(config.publicUrl, 'https://symbolon.example.com');
        assert.equal(config.databaseUrl, values === EMBEDDED ? undefined : secrets.DATABASE_URL);
        assert.ok(values === EMBEDDED || config.s3 !== undefined || config.blobsDir === '/files');
      }
    });

    test(`leads callers to the processes that serve, and to no probe (${name})`, () => {
      const manifests = rendered(values);
      const [service] = ofKind<Service>(manifests, 'Service');
      const selected = podsOf(manifests).filter(({ template }) =>
        Object.entries(service?.spec?.selector ?? {}).every(
          ([label, value]) => template.metadata?.labels?.[label] === value,
        ),
      );
      assert.equal(selected.length, 1);
      assert.deepEqual(
        service?.spec?.ports?.map(({ targetPort }) => targetPort),
        ['http'],
      );
      for (const { container } of podsOf(manifests).filter((pod) => pod.container.args?.[0] === 'serve')) {
        const ports = Object.fromEntries(
          (container.ports ?? []).map((port) => [port.name, port.containerPort]),
        );
        assert.equal(ports.management, 9464);
        assert.equal(container.livenessProbe?.httpGet?.path, '/livez');
        assert.equal(container.readinessProbe?.httpGet?.path, '/readyz');
      }
      for (const { metadata, spec } of ofKind<Deployment>(manifests, 'Deployment')) {
        const { replicas = 0 } = spec ?? {};
        assert.ok(replicas > 0, metadata?.name);
        for (const [label, value] of Object.entries(spec?.selector.matchLabels ?? {}))
          assert.equal(spec?.template.metadata?.labels?.[label], value);
      }
      for (const { spec } of ofKind<Ingress>(manifests, 'Ingress'))
        assert.equal(spec?.rules?.[0]?.host, 'symbolon.example.com');
    });
  }

  test('makes objects as the types of Kubernetes have them, with no member that these do not know', () => {
    const TYPES: Readonly<Record<string, string>> = {
      'v1 Service': 'core/v1',
      'v1 PersistentVolumeClaim': 'core/v1',
      'apps/v1 Deployment': 'apps/v1',
      'batch/v1 Job': 'batch/v1',
      'policy/v1 PodDisruptionBudget': 'policy/v1',
      'networking.k8s.io/v1 Ingress': 'networking/v1',
    };
    const all = Object.values(VALUES).flatMap(rendered);
    const kinds = new Set(all.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
    assert.deepEqual([...kinds].sort(), Object.keys(TYPES).sort());
    const lines = all.map((manifest, index) => {
      const type = TYPES[`${manifest.apiVersion} ${manifest.kind}`];
      return `export const manifest${index}: import('kubernetes-types/${type}').${manifest.kind} = ${JSON.stringify(manifest)};`;
    });
    const judged = compiled(lines.join('\n'));
    assert.equal(judged.status, 0, judged.stdout);
    // That judge would notice.
    const wrong = compiled(lines.join('\n').replace('"readOnlyRootFilesystem"', '"readOnlyRootFileSystem"'));
    assert.match(wrong.stdout, /readOnlyRootFileSystem/);
  });

  test('refuses what could not work, before anything is installed', () => {
    const refused = (values: Values) => {
      const { status, stderr } = helm('template', values);
      assert.notEqual(status, 0);
      return stderr;
    };
    assert.match(refused({}), /publicUrl/);
    assert.match(refused({ ...ON_POSTGRES, publicURL: 'x' }), /publicURL/);
    assert.match(
      refused({ ...ON_POSTGRES, settings: {} }),
      /SYMBOLON_BLOBS in settings, or files\.existingClaim/,
    );
    assert.match(refused({ ...ON_POSTGRES, secret: { keys: ['DATABASE_URL'] } }), /wants SYMBOLON_SECRET/);
    const settings = {
      ...(ON_POSTGRES.settings as Values),
      SYMBOLON_BACKUP_TO: 's3://backups',
      SYMBOLON_BACKUP_RECIPIENTS: 'none',
    };
    assert.match(refused({ ...ON_POSTGRES, settings }), /image\.withPostgres/);
    assert.match(refused({ ...EMBEDDED, web: { replicas: 2 } }), /one process/);
    assert.match(refused({ ...EMBEDDED, strategy: 'RollingUpdate' }), /one process at a time/);
    assert.match(refused({ ...EMBEDDED, secret: { keys: ['DATABASE_URL'] } }), /has no DATABASE_URL/);
  });
});

/** Literals are judged strictly: a member that a type does not know is an error. */
function compiled(source: string) {
  const place = folder.file('types');
  mkdirSync(place, { recursive: true });
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'));
  } catch {}
  writeFileSync(join(place, 'manifests.ts'), source);
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', '--skipLibCheck'];
  return spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...flags, 'manifests.ts'], {
    cwd: place,
    encoding: 'utf8',
  });
}

test('the version of the chart is that of the platform', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const chart = readFileSync(join(CHART, 'Chart.yaml'), 'utf8');
  assert.match(chart, new RegExp(`^version: ${version}\nappVersion: ${version}$`, 'm'));
});
