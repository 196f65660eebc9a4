import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';
import { type SignedIn, signIn } from '@symbolon/testkit/cli/signed-in';
import { createWorld, type World } from '@symbolon/testkit/cli/world';
import { without } from '@symbolon/testkit/tools';

describe('completion', () => {
  let world: World;
  let user: SignedIn;
  let code: string;
  before(async () => {
    world = await createWorld();
    user = await signIn(world);
    code = (await user.portal.service(user.serviceId)).share_code;
  });
  after(async () => {
    user[Symbol.dispose]();
    await world.clear();
  });

  /** What a shell says that has read its script. Names come as the platform gives them, by a function in the command's place. */
  const shell = async (name: 'bash' | 'zsh' | 'fish', then: string) => {
    const script = `${user.folder}/completion.${name}`;
    writeFileSync(script, (await symbolonProcess(['completion', name])).stdout);
    const [open, first, close] = name === 'fish' ? [';', '$argv[2]', '; end'] : [' () {', '$2', '; }'];
    const names = `function symbolon${open} printf "${first}-SHOP\\tShop\\n"${close}`;
    const { stdout, stderr, status } = spawnSync(name, ['-c', `${names}\nsource ${script}\n${then}`], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return stdout.trim().split('\n');
  };
  const inBash = (words: string) =>
    shell(
      'bash',
      `COMP_WORDS=(symbolon ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _symbolon; echo "\${COMPREPLY[@]}"`,
    );

  test('names are asked of the platform, by the sign-in of the words before', async () => {
    const listed = await symbolon(['__values', 'service', '--', 'services', 'get'], { env: user.env });
    assert.match(listed.stdout, new RegExp(`^${code}\t\\S`));
    const config = ['--config', world.credentials.config_file];
    const people = await symbolon(['__values', 'connection', '--', 'people', 'get', ...config]);
    assert.equal(people.stdout.trim().split('\n').length, 3);
    for (const words of [['service'], ['nothing'], ['field', '--', '--config', '/nowhere']]) {
      const failed = await symbolon(['__values', ...words]);
      assert.deepEqual(
        [failed.code, failed.stdout, failed.stderr],
        [0, '', ''],
        'a shell is told of no failure',
      );
    }
  });

  test('bash completes choices, and names of services and fields', async () => {
    assert.deepEqual(await inBash('webhooks create --format ""'), ['json xml']);
    assert.deepEqual(await inBash('services get s'), ['service-SHOP']);
    assert.deepEqual(await inBash('fields set f'), ['field-SHOP']);
    assert.deepEqual(await inBash('fields --service ""'), ['service-SHOP']);
    assert.deepEqual(await inBash('webhooks list --profile p'), ['profile-SHOP']);
  });

  test('zsh takes the script', { skip: without('zsh') }, async () => {
    const [path] = await shell(
      'zsh',
      'autoload -U +X compinit && compinit -u; _symbolon_words "symbolon services client" && echo "$words"',
    );
    assert.match(path ?? '', /\bregenerate\b/);
  });

  test('fish completes commands with what they do, and names with theirs', {
    skip: without('fish'),
  }, async () => {
    const commands = await shell('fish', 'complete -C "symbolon services cl"');
    assert.deepEqual(commands, [
      'client\tthe data client of a service, which reads what people share with it',
    ]);
    const names = await shell('fish', 'complete -C "symbolon services get "');
    assert.ok(names.includes('service-SHOP\tShop'), names.join());
    const formats = await shell('fish', 'complete -C "symbolon webhooks create --format "');
    assert.deepEqual(formats.map((line) => line.split('\t')[0]).sort(), ['json', 'xml']);
  });
});
