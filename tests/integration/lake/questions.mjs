// node questions.mjs duckdb|hyparquet FILE-OR-PATTERN FOLDER-OF-PACKAGES: a line a channel, in order of their names:
//   channel,rows,sum of whole numbers,least,p50,p90,p99,p999,greatest   of delta_channel_ns, by nearest rank
// By pattern only duckdb.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [reader, path, packages] = process.argv.slice(2);
const near = createRequire(pathToFileURL(packages + '/package.json'));
const shares = [0.5, 0.9, 0.99, 0.999];

function line(channel, rows, sum, deltas) {
  deltas.sort((a, b) => a - b);
  const at = (share) => deltas[Math.max(0, Math.ceil(share * deltas.length) - 1)];
  const times = [deltas[0], ...shares.map(at), deltas[deltas.length - 1]];
  return [channel, rows, sum, ...times.map((ns) => ns.toFixed(3))].join(',');
}

async function byHyparquet() {
  const { parquetReadObjects } = await import(pathToFileURL(near.resolve('hyparquet')));
  const { compressors } = await import(pathToFileURL(near.resolve('hyparquet-compressors')));
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const columns = ['tick', 'channel', 'kind', 'value_int', 'delta_channel_ns'];
  const channels = new Map();
  let before = -1n;
  for (const row of await parquetReadObjects({ file, compressors, columns })) {
    if (row.tick < before) throw new Error('rows are not in order of tick');
    before = row.tick;
    if (!channels.has(row.channel)) channels.set(row.channel, { rows: 0, sum: 0n, deltas: [] });
    const channel = channels.get(row.channel);
    channel.rows += 1;
    channel.sum += row.value_int ?? 0n;
    if (row.delta_channel_ns !== null) channel.deltas.push(row.delta_channel_ns);
  }
  return [...channels].sort().map(([name, of]) => line(name, of.rows, of.sum, of.deltas));
}

async function byDuckdb() {
  const { DuckDBInstance } = near('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create()).connect();
  const percentile = (share) => `list_extract(list_sort(list(delta_channel_ns)), greatest(1, CAST(ceil(${share} * count(delta_channel_ns)) AS BIGINT)))`;
  const times = ['min(delta_channel_ns)', ...shares.map(percentile), 'max(delta_channel_ns)'];
  const answer = await connection.runAndReadAll(
    `SELECT channel, count(*), coalesce(sum(value_int), 0), ${times.map((time) => `printf('%.3f', ${time})`).join(', ')}
     FROM read_parquet('${path}') GROUP BY channel ORDER BY channel`);
  return answer.getRows().map((row) => row.join(','));
}

console.log((await (reader === 'duckdb' ? byDuckdb() : byHyparquet())).join('\n'));
