import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectsOf, stream, writeTable } from '@symbolon/testkit/pdf/samples';
import { readWarnings } from '../contents.ts';

test('functions that name one function a hundred times, each in the next, are looked at once', async () => {
  const [first, last, parts] = [30, 36, 100];
  const objects = objectsOf({});
  objects.set(
    10,
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 11 0 R/Resources<</Shading<</S<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 300 0]/Function ${first} 0 R>>>>>>>>`,
  );
  objects.set(11, stream(Buffer.from('/S sh')));
  for (let number = first; number < last; number++)
    objects.set(
      number,
      `<</FunctionType 3/Domain[0 1]/Bounds[${'.5 '.repeat(parts - 1)}]/Encode[${'0 1 '.repeat(parts)}]/Functions[${`${number + 1} 0 R `.repeat(parts)}]>>`,
    );
  objects.set(last, '<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>');
  assert.deepEqual(await readWarnings(writeTable(objects)), []);
});
