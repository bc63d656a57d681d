// Makes src/api.d.ts from the OpenAPI document of this repository, the one that the tests hold in
// step with the code. The digest in the first line tells a test whether the file fits the document.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import openapi, { astToString } from 'openapi-typescript';

const snapshot = new URL('../../../tests/service/snapshots/service__api__openapi.snap', import.meta.url);
// Two lines `---` part what the snapshot tool notes from the document.
const document = (await readFile(snapshot, 'utf8')).split('\n---\n').slice(1).join('\n---\n').trim();
const digest = createHash('sha256').update(document).digest('hex');
const types = astToString(await openapi(JSON.parse(document), { alphabetize: true }));
const head = `// Generated from the OpenAPI document with the SHA-256 ${digest}\n// by \`npm run generate\`; not edited by hand.\n\n`;
await writeFile(new URL('src/api.d.ts', import.meta.url), head + types);
