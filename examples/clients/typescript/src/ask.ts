// Asks Wegweiser: the best sections with their reasons, then an answer in sentences as it is written.
//
//   npm start -- "Was hilft gegen Aufschieben?"
//
// WEGWEISER_URL names the service (http://127.0.0.1:8080), WEGWEISER_KEY a key where keys exist.
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

type Problem = components['schemas']['ProblemBody'];
type Completion = components['schemas']['Completion'];

const key = process.env['WEGWEISER_KEY'];
const client = createClient<paths>({
  baseUrl: process.env['WEGWEISER_URL'] ?? 'http://127.0.0.1:8080',
  ...(key ? { headers: { authorization: `Bearer ${key}` } } : {}),
});

/** Every error is problem JSON with a stable code and German words. */
function refused(problem: Problem): Error {
  return new Error(`${problem.status} ${problem.code}: ${problem.detail_de}`);
}

async function hits(question: string): Promise<void> {
  const { data, error } = await client.POST('/v1/search', { body: { question, k: 3 } });
  if (error) throw refused(error);
  console.log(`Absicht: ${data.intent.id} · beantwortbar: ${data.answerable ?? 'unbekannt'}`);
  for (const { rank, title, id, score } of data.hits ?? []) {
    console.log(`${rank}. ${title} (${id}, ${score.toFixed(2)})`);
  }
}

/** The JSON of the events of a stream (`data: …`, parted by an empty line), until `[DONE]`. */
async function* events(stream: ReadableStream<Uint8Array>): AsyncGenerator<Completion> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const data = part.replace(/^data: /, '');
      if (data === '[DONE]') return;
      yield JSON.parse(data) as Completion;
    }
  }
  throw new Error('the answer broke off');
}

async function answer(question: string): Promise<void> {
  const { data, error } = await client.POST('/v1/chat/completions', {
    body: { model: 'wegweiser', messages: [{ role: 'user', content: question }], stream: true },
    parseAs: 'stream',
  });
  if (error) throw refused(error);
  if (!data) throw new Error('an answer without a body');
  for await (const { choices, wegweiser } of events(data)) {
    process.stdout.write(choices[0]?.delta?.content ?? '');
    // The last event says who wrote it and what it cites.
    if (wegweiser) {
      console.log(`\n\nVerfasst: ${wegweiser.author}`);
      for (const { number, title, url } of wegweiser.sources) console.log(`[${number}] ${title} ${url}`);
    }
  }
}

const question = process.argv.slice(2).join(' ') || 'Was hilft gegen Aufschieben?';
try {
  await hits(question);
  console.log();
  await answer(question);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
