// Prints the name of the oldest change of the feed, handed out by the pump. The buffer is a new file each time.
import { ChangePump, DataClient } from '@symbolon/sdk';

const [config, file] = process.argv.slice(2);
const client = DataClient.fromFile(config);
try {
  const first = await new Promise((resolve, reject) => {
    const pump = new ChangePump({ client, file, batchSize: 1, handle: resolve, onError: reject });
    pump.start();
  });
  console.log(first.event);
} catch (error) {
  console.log(error.message);
}
process.exit();
