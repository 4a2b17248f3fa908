// @ts-check
/**
 * The real engine of ClickHouse behind its HTTP interface, for tests: npm's chdb, whose library is the server's, with as much
 * of the protocol around it as the product uses. `node clickhouse-server.mjs FOLDER [PORT]`; prints its port once it answers.
 * Statements may do what docs/scale.md grants to the collectors' user, unless they come with `role=administrator`.
 * chdb weighs 540 MB, so it is installed apart: see CONTRIBUTING.md.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chdbFolder } from './chdb-folder.mjs';

const [folder = '', port = '0'] = process.argv.slice(2);
const require = createRequire(`${chdbFolder()}/`);
const { Session } = /** @type {any} */ (require('chdb'));
const [data, body] = [join(folder, 'data'), join(folder, 'body.native')];
await mkdir(data, { recursive: true });
const GRANTS = await documentedGrants();
await writeFile(join(folder, 'users.xml'), usersConfig());
await writeFile(
  join(folder, 'config.xml'),
  `<clickhouse>
  <users_config>${folder}/users.xml</users_config>
  <!-- Never asked: a table of all shards has to name a cluster. -->
  <remote_servers><spread><shard><replica><host>127.0.0.1</host><port>1</port></replica></shard></spread></remote_servers>
  <backups><allowed_path>${folder}/backups/</allowed_path></backups>
</clickhouse>`,
);
const session = new Session(data, { connectionArgs: [`--config-file=${join(folder, 'config.xml')}`] });

/** Those in docs/scale.md. Tests have databases of their own, `lastbyte_…`. */
async function documentedGrants() {
  const document = await readFile(new URL('../../docs/scale.md', import.meta.url), 'utf8');
  return Array.from(document.matchAll(/^GRANT .* TO lastbyte;$/gm), ([grant]) =>
    grant.replace(' TO lastbyte;', '').replace('lastbyte.*', 'lastbyte*.*'),
  );
}

/**
 * The engine in this process knows one user, who changes between roles. What it needs beside them is this program's own:
 * it reads the body of an INSERT from a file.
 */
function usersConfig() {
  const granted = (/** @type {readonly string[]} */ ...grants) =>
    `<grants>${grants.map((grant) => `<query>${grant}</query>`).join('')}</grants>`;
  return `<clickhouse>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
  <roles>
    <collector>${granted(...GRANTS)}</collector>
    <administrator>${granted('GRANT ALL ON *.*')}</administrator>
  </roles>
  <users>
    <default>
      <password/>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      ${granted('GRANT collector, administrator', 'GRANT FILE, CREATE DATABASE ON *.*')}
    </default>
  </users>
</clickhouse>`;
}

/** Parameters of a request that are no settings of the engine in this process. */
const OF_HTTP = new Set([
  'query',
  'query_id',
  'database',
  'readonly',
  'wait_end_of_query',
  'cancel_http_readonly_queries_on_client_close',
  'session_id',
  'role',
  'enable_http_compression',
]);

/** One statement at a time: the session is one connection. @type {Promise<unknown>} */
let last = Promise.resolve();
let [database, role] = ['', ''];

/** Statements with many ranges have many parameters. */
const MAX_HEADER_BYTES = 1 << 20;
const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const sent = Buffer.concat(pieces);
  const { searchParams } = new URL(request.url ?? '', 'http://localhost');
  const work = last.then(() => answer(searchParams, sent));
  last = work.catch(() => {});
  try {
    const bytes = await work;
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(bytes);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = /Code: (\d+)/.exec(message)?.[1] ?? '0';
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': code }).end(message);
  }
});
server.keepAliveTimeout = 60_000;
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : '');
});

/**
 * @param {URLSearchParams} parameters
 * @param {Buffer} sent
 * @returns {Promise<Uint8Array>}
 */
async function answer(parameters, sent) {
  const wanted = parameters.get('database') ?? '';
  if (wanted !== '' && wanted !== database) {
    await session.queryAsync(`CREATE DATABASE IF NOT EXISTS ${wanted}`);
    await session.queryAsync(`USE ${wanted}`);
    database = wanted;
  }
  const wantedRole = parameters.get('role') ?? 'collector';
  if (wantedRole !== role) await session.queryAsync(`SET ROLE ${wantedRole}`);
  role = wantedRole;
  const settings = [];
  /** @type {Record<string, string>} */
  const bound = {};
  for (const [name, value] of parameters) {
    if (name.startsWith('param_')) bound[name.slice(6)] = value;
    else if (!OF_HTTP.has(name))
      settings.push(`${name}=${/^\d+$/.test(value) ? value : `'${value.replaceAll("'", "''")}'`}`);
  }
  const inQuery = parameters.get('query');
  const sql = inQuery ?? sent.toString();
  const [, statement = sql, format = 'TabSeparated'] = /^([\s\S]*) FORMAT (\w+)$/.exec(sql) ?? [];
  const clause = settings.length === 0 ? '' : ` SETTINGS ${settings.join(', ')}`;
  if (inQuery !== null && /^INSERT/i.test(statement) && format === 'Native') {
    // Its inline data end at an empty line, which binary data may contain.
    await writeFile(body, sent);
    const [, columns = '*'] = /\(([^)]*)\)$/.exec(statement) ?? [];
    await session.queryAsync(`${statement}${clause} SELECT ${columns} FROM file('${body}', Native)`);
    return new Uint8Array(0);
  }
  let runs = statement;
  if (/^INSERT .* VALUES /is.test(statement)) runs = statement.replace(' VALUES ', `${clause} VALUES `);
  else if (/^(SELECT|INSERT)/i.test(statement)) runs = `${statement}${clause}`;
  const result =
    Object.keys(bound).length === 0
      ? await session.queryAsync(runs, { format })
      : await session.queryBindAsync(runs, bound, { format });
  return result.bytes();
}
