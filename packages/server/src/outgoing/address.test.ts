import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isLoopbackAddress } from '../core/ip-address.ts';
import { isPublicAddress } from './address.ts';

/** Ranges written out once more, as numbers, so that the property doesn't ask the code under test. */
const REFUSED_IPV4 =
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
  198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`
    .split(/\s+/)
    .map((range) => {
      const [network = '', prefix] = range.split('/');
      const size = 2 ** (32 - Number(prefix));
      const first = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
      return { first, last: first + size - 1 };
    });

const ipv4 = (value: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
const hex = (value: number): string => value.toString(16);
const group = fc.integer({ min: 0, max: 0xffff });
const anyIPv4 = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe('isPublicAddress', () => {
  for (const ip of [
    ...[
      '1.1.1.1',
      '8.8.8.8',
      '93.184.216.34',
      '100.63.255.255',
      '100.128.0.0',
      '172.15.255.255',
      '172.32.0.0',
    ],
    ...['168.63.129.15', '192.0.1.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
    ...['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888', '2001:200::1'],
    ...['64:ff9b::8.8.8.8', '64:ff9b::808:808', '2002:0808:0808::1'],
  ]) {
    it(`accepts ${ip}`, () => assert.equal(isPublicAddress(ip), true));
  }

  for (const ip of [
    ...['0.0.0.0', '255.255.255.255', '169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
    ...[
      '::',
      '::1',
      'fe80::1',
      'fe80::1%eth0',
      '2606:4700::1%eth0',
      'fec0::1',
      'fc00::1',
      'fd00:ec2::254',
      'ff02::1',
    ],
    ...['100::1', '2001::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:30::1', '2001:db8::1', '3ffe::1'],
    ...[
      '3fff::1',
      '3fff:fff:ffff::1',
      '5f00::1',
      '4000::1',
      '::ffff:8.8.8.8',
      '::ffff:127.0.0.1',
      '::8.8.8.8',
    ],
    ...[
      '::ffff:0:8.8.8.8',
      '64:ff9b::127.0.0.1',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::8.8.8.8',
      '64:ff9b:0:1::1',
    ],
    ...['2002:7f00:1::', '2002:a00:1::1', '2002:A9FE:A9FE::1', '2002:c0a8:0101::8.8.8.8'],
    ...[
      '',
      'localhost',
      'example.com',
      '1.2.3',
      '1.2.3.4.5',
      '0x7f.0.0.1',
      '127.1',
      ' 1.1.1.1',
      '[2606:4700::1]',
    ],
  ]) {
    it(`refuses ${ip || 'nothing'}`, () => assert.equal(isPublicAddress(ip), false));
  }

  it('agrees with the registry on every IPv4 network', () => {
    const refused = (value: number) =>
      REFUSED_IPV4.some(({ first, last }) => first <= value && value <= last);
    for (const { first, last } of REFUSED_IPV4) {
      for (const value of [first - 1, first, last, last + 1]) {
        if (value >= 0 && value < 2 ** 32)
          assert.equal(isPublicAddress(ipv4(value)), !refused(value), ipv4(value));
      }
    }
    fc.assert(fc.property(anyIPv4, (value) => isPublicAddress(ipv4(value)) === !refused(value)));
  });

  it('decides on a translated address by the IPv4 address in it', () => {
    fc.assert(
      fc.property(anyIPv4, group, (value, tail) => {
        const inside = isPublicAddress(ipv4(value));
        const groups = `${hex(Math.floor(value / 65_536))}:${hex(value % 65_536)}`;
        return (
          isPublicAddress(`64:ff9b::${groups}`) === inside &&
          isPublicAddress(`2002:${groups}::${hex(tail)}`) === inside &&
          !isPublicAddress(`::ffff:${groups}`) &&
          !isPublicAddress(`::${groups}`) &&
          !isPublicAddress(`64:ff9b:1::${groups}`)
        );
      }),
    );
  });

  it('accepts nothing outside 2000::/3 except translated addresses', () => {
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const [first = 0] = groups;
        fc.pre(!(first >= 0x2000 && first < 0x4000) && first !== 0x64);
        return !isPublicAddress(groups.map(hex).join(':'));
      }),
    );
  });

  it('gives the same answer for every spelling of an address', () => {
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 6, maxLength: 6 }),
        fc.constantFrom(0x2002, 0x2606, 0x64),
        (tail, first) => {
          const groups = [first, first === 0x64 ? 0xff9b : 0x7f00, ...tail];
          const long = groups.map((each) => each.toString(16).padStart(4, '0').toUpperCase()).join(':');
          const short = new URL(`http://[${long}]`).hostname.slice(1, -1);
          return isPublicAddress(long) === isPublicAddress(short);
        },
      ),
    );
  });
});

describe('isLoopbackAddress', () => {
  it('accepts 127.0.0.0/8 and ::1 and nothing else', () => {
    for (const ip of ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'])
      assert.ok(isLoopbackAddress(ip), ip);
    for (const ip of [
      '128.0.0.1',
      '0.0.0.0',
      '::',
      '::2',
      '::ffff:127.0.0.1',
      '::FFFF:7F00:1',
      'localhost',
      '',
    ]) {
      assert.ok(!isLoopbackAddress(ip), ip);
    }
  });
});
