import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fillText } from './filled-text.ts';
import { partyTags, tagsOfText } from './tags.ts';
import { contractFlow, node } from './testing/samples.ts';
import { bodyOf } from './text.ts';

const VALUES = new Map([
  ['name', 'Ada'],
  ['home.street.id', 's1'],
  ['client.full_name', 'Ada Lovelace'],
  ['evil', '{{ name }} [a href=https://evil.example]x[/a] <b> \\['],
  ['blank', ' \u00a0\n'],
  ['host', 'shop.example'],
  ['script', 'javascript:alert(1)'],
  ['at', 'https://good.example@evil.example/'],
]);
const filled = (source: string) =>
  fillText(source, (key) => VALUES.get(key)).map((piece) =>
    piece.kind === 'link' ? [piece.text, piece.href, piece.host] : piece.text,
  );

describe('tags in a text (wire 13.6)', () => {
  const table: [source: string, tags: string[]][] = [
    ['{{ name }}', ['name']],
    ['{{name}} {{  name\n}}', ['name', 'name']],
    ['{{ Client.Full_Name }}', ['client.full_name']],
    ['{{ home.street.id }}', ['home.street.id']],
    ['{{ a.b.c.d }}', []],
    ['{{ 1a }} {{ _a }} {{ a. }} {{ .a }} {{ a b }} {{ a-b }} {{ }} {{}}', []],
    ['{ name } { { name } } {{ name }', []],
    ['{{{ name }}}', ['name']],
    ['\\{{ name }} {\\{ name }}', []],
    ['\\\\{{ name }}', ['name']],
    ['\\\\\\{{ name }}', []],
    ['{{ na\\{me }}', []],
    ['{{ na<b>me</b> }}', ['name']],
    ['<p title="{{ hidden }}">{{ name }}</p>', ['name']],
    ['<!-- {{ hidden }} -->{{ name }}', ['name']],
    ['<!-- {{ name }}', ['name']],
    ['a < b {{ name }} c > d', ['name']],
    ['[a href=https://{{ host }}/{{ name }}]see {{ evil }}[/a]', ['host', 'name', 'evil']],
    ['[a href=https://x.example/\\{{ name }}]x[/a]', []],
    ['[a href={{ host }}', ['host']],
  ];
  for (const [source, tags] of table) {
    it(`${JSON.stringify(source)} has the tags ${tags.join(', ') || 'none'}`, () => {
      assert.deepEqual(tagsOfText(source), tags);
    });
  }
});

describe('texts with their values (wire 13.6)', () => {
  const link = (text: string, href: string | null = null, host: string | null = null) => [text, href, host];
  const table: [source: string, pieces: unknown[]][] = [
    ['Dear {{ client.full_name }},', ['Dear ', 'Ada Lovelace', ',']],
    ['<b>Dear</b> {{ nobody }}!', ['Dear ', '[nobody]', '!']],
    ['\\[ \\] \\{ \\\\ \\} \\x \\', ['[ ] { \\ \\} \\x \\']],
    ['a < b, <3, 1 > 0', ['a < b, <3, 1 > 0']],
    ['<scr<b>ipt>x', ['<script>x']],
    // Values are put in after reading and are never read.
    ['{{ evil }}', [VALUES.get('evil')]],
    [
      '[a href=https://x.example]{{ evil }}[/a]',
      [link(VALUES.get('evil')!, 'https://x.example/', 'x.example')],
    ],
    ['\\{{{ name }}', ['{', 'Ada']],
    // A tag without a value leaves its name.
    [
      'Dear {{ client.last_name }}, Harbour Bikes needs to know:',
      ['Dear ', '[last name]', ', Harbour Bikes needs to know:'],
    ],
    ['the {{ gone }} house', ['the ', '[gone]', ' house']],
    ['the {{ blank }} house', ['the ', '[blank]', ' house']],
    [
      '[a href=https://x.example/{{ gone }},a]To {{ gone }}, us[/a]',
      [link('To [gone], us', 'https://x.example/,a', 'x.example')],
    ],
    // A link is live with an address of https or mailto only, and shows the host.
    [
      '[a href=https://shop.example/a?b]Shop[/a]!',
      [link('Shop', 'https://shop.example/a?b', 'shop.example'), '!'],
    ],
    ['[a href="https://{{ host }}/"]Shop[/a]', [link('Shop', 'https://shop.example/', 'shop.example')]],
    [
      "[a href='{{ at }}']good.example[/a]",
      [link('good.example', 'https://good.example@evil.example/', 'evil.example')],
    ],
    [
      '[a href=mailto:me@shop.example?subject=Hi]Write[/a]',
      [link('Write', 'mailto:me@shop.example?subject=Hi', 'shop.example')],
    ],
    ['[a href=mailto:a@x.example,b@y.example]Write[/a]', [link('Write')]],
    ['[a href=mailto:a@x.example%2Cb@y.example]Write[/a]', [link('Write')]],
    ['[a href=mailto:%ff@x.example]Write[/a]', [link('Write')]],
    ['[a href=http://shop.example]Shop[/a]', [link('Shop')]],
    ['[a href={{ script }}]Shop[/a]', [link('Shop')]],
    ['[a href=/terms]Terms[/a]', [link('Terms')]],
    ['[a href=]x[/a]', [link('x')]],
    ["[a href=']x[/a]", [link('x')]],
    ['\\[a href=https://x.example]x[/a]', ['[a href=https://x.example]x[/a]']],
    ['[a href=https://x.example]x', ['[a href=https://x.example]x']],
    ['[a href=https://x.example x[/a]', ['[a href=https://x.example x[/a]']],
    [
      '[a href=https://x.example]x [a href=https://y.example]y[/a]',
      ['[a href=https://x.example]x ', link('y', 'https://y.example/', 'y.example')],
    ],
    ['[a href=https://x.example]a \\[/a] b[/a]', [link('a [/a] b', 'https://x.example/', 'x.example')]],
  ];
  for (const [source, pieces] of table) {
    it(`${JSON.stringify(source)} is shown as ${JSON.stringify(pieces)}`, () => {
      assert.deepEqual(filled(source), pieces);
    });
  }
});

it('the text is the body, or what older packages call it (wire 13.6)', () => {
  assert.equal(bodyOf({ kind: 'text', body: 'a', text: 'b', label: 'c' }), 'a');
  assert.equal(bodyOf({ kind: 'text', text: 'b', label: 'c' }), 'b');
  assert.equal(bodyOf({ kind: 'text', label: 'c' }), 'c');
  assert.equal(bodyOf({ kind: 'text' }), '');
});

it('tags of the owner and of other parties are distinguished, and an unknown party gives none (wire 13.6)', () => {
  const definition = contractFlow();
  const text =
    '{{ Client.email }} {{ landlord.vat }} {{ client.email }} {{ bank.iban }} {{ home.street }} {{ client.a.b }}';
  const nodes = [...definition.nodes, node('end', { elements: [{ kind: 'text', body: text }] })];
  assert.deepEqual(partyTags({ ...definition, nodes }), {
    owner: ['landlord.company_name', 'landlord.vat'],
    others: ['client.email', 'client.full_name'],
  });
});

it('a text is read, whatever it is, and the same tags are found and filled', () => {
  const words = [
    '{{',
    '}}',
    ' name ',
    'a.b',
    '[a href=',
    ']',
    '[/a]',
    '\\',
    '<b>',
    '<!--',
    '-->',
    '{',
    '"',
    'https://x.example',
  ];
  const texts = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...words)).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (source) => {
      const asked: string[] = [];
      const pieces = fillText(source, (key) => {
        asked.push(key);
        return '{{ injected }}';
      });
      assert.deepEqual(asked, tagsOfText(source));
      assert.ok(!asked.includes('injected'));
      for (const piece of pieces) {
        if (piece.kind === 'link' && piece.href !== null) assert.match(piece.href, /^(https|mailto):/);
      }
    }),
    { numRuns: 3000 },
  );
});

it('hostile texts are read in steps that grow with their length', () => {
  for (const part of [
    '{{ ',
    '{{a.',
    '[a href=',
    '[a href=x]',
    '<a ',
    '<!--',
    '\\',
    '{{a}}',
    '[a href={{a}}]{{a}}',
  ])
    assert.ok(fillText(part.repeat(20_000), () => '').length > 0);
});
