// The same as read-connections.mjs, in a program that uses require.
const { DataClient } = require('@symbolon/sdk');

async function main() {
  const client = DataClient.fromFile(process.argv[2]);
  const people = [];
  for await (const { displayName, values } of client.connections()) people.push({ displayName, values });
  await client.close();
  console.log(JSON.stringify(people));
}

main();
