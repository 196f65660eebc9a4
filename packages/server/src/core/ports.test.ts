import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PortBoard } from './ports.ts';

class Bell {
  #rung = 0;
  volume = 1;

  ring(): number {
    this.#rung += 1;
    return this.#rung;
  }
}

describe('ports', () => {
  const open = () =>
    new PortBoard<{ bell: Bell; guests: readonly string[] }>({ bell: 'hall', guests: 'list' });

  test('pass on to what fills them, also when they were handed out before', () => {
    const board = open();
    const { bell, guests } = { ...board.ports };
    board.fill([{ bell: new Bell() }, { guests: ['Ada', 'Alan'] }]);
    assert.equal(bell.ring(), 1);
    assert.equal(bell.ring(), 2);
    assert.equal(bell.volume, 1);
    assert.deepEqual([...guests], ['Ada', 'Alan']);
    assert.equal(guests.length, 2);
  });

  test('say by their name and their filler that they are used too early', () => {
    const { bell, guests } = open().ports;
    assert.throws(() => bell.ring(), /The port bell is used before the module hall fills it\./);
    assert.throws(() => [...guests], /The port guests is used before the module list fills it\./);
  });

  test('are filled once, and only those that are declared', () => {
    const board = open();
    assert.throws(
      () => board.fill([{ bell: new Bell() }, { bell: new Bell(), guests: [] }]),
      /The port bell is filled twice\./,
    );
    const more = { bell: new Bell(), guests: [], door: {} };
    assert.throws(() => open().fill([more]), /The port door is filled and was not declared\./);
  });

  test('that no domain fills do not compile', () => {
    const board = open();
    // @ts-expect-error no domain fills guests
    assert.throws(() => board.fill([{ bell: new Bell() }]), /The port guests is not filled\./);
  });
});
