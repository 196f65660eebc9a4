// Prints everybody connected, opened: what a company's first sync does.
import { DataClient } from '@symbolon/sdk';

const client = DataClient.fromFile(process.argv[2]);
const people = [];
for await (const { displayName, values } of client.connections()) people.push({ displayName, values });
await client.close();
console.log(JSON.stringify(people));
